"""Criteria taken apart: places, alternatives, negation, lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.rules.criterion import Criterion, Role, parse_criterion
from judge.rules.vocabulary import load_vocabulary


def parse(text: str) -> Criterion:
    return parse_criterion(text, load_vocabulary())


def names(criterion: Criterion) -> list[list[str]]:
    return [[i.mention.concept.id if i.mention else i.text for i in group.items] for group in criterion.groups]


def test_code_and_output_places() -> None:
    criterion = parse("A model is trained in `src/train.py` and saved as `models/a.pt`.")
    assert [(place.path, place.role) for place in criterion.places] == [
        ("src/train.py", Role.CODE),
        ("models/a.pt", Role.OUTPUT),
    ]


def test_an_input_is_no_output() -> None:
    criterion = parse("Prompts are read from a text file named `data/prompt.txt` and fed into the model.")
    assert [(place.path, place.role) for place in criterion.places] == [("data/prompt.txt", Role.INPUT)]


def test_a_file_name_beside_its_folder_is_one_place() -> None:
    criterion = parse("The trained model is saved under the file name `net.pt` in `models/saved/`.")
    assert [place.path for place in criterion.places] == ["models/saved/net.pt"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('made with "Dash" or "Bokeh"', [["dash", "bokeh"]]),
        ('Word embeddings, either "Word2Vec" or "GloVe," are used', [["word-embedding"], ["word2vec", "glove"]]),
        ('"precision," "recall," and "F1-score" are saved', [["precision"], ["recall"], ["f1"]]),
        ("including resizing and normalization", [["resizing"], ["normalization"]]),
        ('"Mean Squared Error (MSE)" is printed', [["mse"]]),
    ],
)
def test_lists_and_alternatives(text: str, expected: list[list[str]]) -> None:
    assert names(parse(text)) == expected


def test_the_longest_phrase_is_the_concept() -> None:
    assert names(parse('The "SVM regressor" is implemented')) == [["svm-regressor"]]


def test_what_is_ruled_out() -> None:
    groups = parse("Implement k-means without using scikit-learn.").groups
    assert [(group.items[0].text.lower(), group.absent) for group in groups] == [
        ("k-means", False),
        ("scikit-learn", True),
    ]


def test_a_contrast_is_no_demand() -> None:
    assert names(parse('The "DCGAN" model, not a standard GAN, is implemented')) == [["dcgan"]]


def test_an_example_in_brackets_is_no_demand() -> None:
    assert names(parse("A comparison with another model (e.g., Logistic Regression) is included")) == []


def test_a_method_inside_a_data_set_name_is_no_method() -> None:
    assert names(parse('The "CNN/Weekly Digest" news dataset is used')) == [["CNN/Weekly Digest"]]


@given(st.text(max_size=400))
def test_any_text_is_taken_apart(text: str) -> None:
    criterion = parse(text)
    assert len(criterion.masked) == len(criterion.text)


def test_every_official_criterion_asks_for_something(shared_dir: Path) -> None:
    empty = []
    for path in sorted((shared_dir / "devai" / "instances").glob("*.json")):
        for requirement in json.loads(path.read_text(encoding="utf-8"))["requirements"]:
            criterion = parse(requirement["criteria"])
            if not criterion.places and not criterion.groups:
                empty.append(requirement["criteria"])
    # What neither names a place nor a known term is left to the check by description; these must stay few.
    assert len(empty) <= 15, empty
