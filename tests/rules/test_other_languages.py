"""The rules judge on workspaces that are not written in Python."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

import pytest

from judge.schemas import VerdictValue
from tests.rules.conftest import Files, JudgeIt

COUNT = "The word counts are saved in `results/counts.txt`."
COUNTS = "the 12\nof 7\nand 5\nsea 4\n"
GO = """package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const outDir = "results"

func countWords(text string) map[string]int {
	counts := map[string]int{}
	for _, word := range strings.Fields(text) {
		counts[strings.ToLower(word)]++
	}
	return counts
}

func saveCounts(counts map[string]int, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for word, n := range counts {
		fmt.Fprintf(file, "%s %d\\n", word, n)
	}
	return nil
}
"""
GO_RUNS = """
func main() {
	text, _ := os.ReadFile("data/book.txt")
	saveCounts(countWords(string(text)), filepath.Join(outDir, "counts.txt"))
}
"""
GO_IDLE = """
func main() {
	fmt.Println(len(countWords("a b")))
}
"""
R = """counts <- function(text) sort(table(strsplit(tolower(text), " ")[[1]]), decreasing = TRUE)
words <- counts(readLines("data/book.txt"))
write.table(words, file.path("results", "counts.txt"))
"""
JAVA = """package app;
import java.nio.file.*;
public class Main {
    static final Path OUT = Paths.get("results");
    public static void main(String[] args) throws Exception {
        String text = Files.readString(Path.of("data/book.txt"));
        save(count(text));
    }
    static String count(String text) { StringBuilder b = new StringBuilder(); for (String w : text.split(" ")) b.append(w); return b.toString(); }
    static void save(String counts) throws Exception { Files.writeString(OUT.resolve("counts.txt"), counts); }
}
"""
BASH = """#!/bin/sh
OUT=results
mkdir -p "$OUT"
tr ' ' '\\n' < data/book.txt | sort | uniq -c | sort -rn > "$OUT/counts.txt"
"""
BOOK: Files = {"data/book.txt": "the sea and the sky\n", "results/counts.txt": COUNTS}


@pytest.mark.parametrize(
    "files",
    [{"main.go": GO + GO_RUNS}, {"count.R": R}, {"src/app/Main.java": JAVA}, {"count.sh": BASH}],
    ids=["go", "r", "java", "bash"],
)
def test_what_running_code_writes_is_saved(judge_it: JudgeIt, files: Files) -> None:
    judgment = judge_it(COUNT, {**files, **BOOK})
    assert judgment.verdict is VerdictValue.SATISFIED, judgment.reason


def test_nothing_is_saved_that_is_not_there(judge_it: JudgeIt) -> None:
    judgment = judge_it(COUNT, {"main.go": GO + GO_IDLE, "data/book.txt": "x"})
    assert judgment.verdict is VerdictValue.UNSATISFIED


@pytest.mark.parametrize(
    ("main", "expected"), [(GO_RUNS, VerdictValue.SATISFIED), (GO_IDLE, VerdictValue.UNSATISFIED)], ids=["live", "dead"]
)
def test_code_counts_when_it_is_reached(judge_it: JudgeIt, main: str, expected: VerdictValue) -> None:
    criterion = "The function `saveCounts`, which saves counts to a path, is implemented in `main.go`."
    judgment = judge_it(criterion, {"main.go": GO + main, **BOOK})
    assert judgment.verdict is expected, judgment.reason
