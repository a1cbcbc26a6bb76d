"""Text and code: the file's lines as they are."""

from __future__ import annotations

from judge.readers.document import Document, Family, Limits, Reader, Source
from judge.readers.logs import tail_facts
from judge.readers.parts import never, text_document, text_of
from judge.text import looks_like_text

_CODE = """
.py .pyi .pyx .js .mjs .cjs .jsx .ts .tsx .vue .svelte .java .kt .kts .scala .groovy .go .rs .c .h .cc .cpp .cxx .hpp
.hh .cu .cuh .cs .fs .vb .m .mm .swift .dart .rb .php .pl .pm .lua .r .jl
.sql .sh .bash .zsh .fish .ps1 .bat .cmd .css
.scss .sass .less .hs .ml .mli .ex .exs .erl .clj .cljs .lisp .scm .el .nim .zig .v .sv .vhd .f .f90 .f95 .for .pas .asm
.s .proto .graphql .tf .hcl .cmake .mk .make .gradle .sol .qml .stan .rmd .qmd .ipy
dockerfile makefile rakefile gemfile jenkinsfile procfile vagrantfile justfile
"""
_TEXT = """
.txt .text .bib .org .adoc .asciidoc .textile .diff .patch
.srt .vtt .lst .list .in .lock
.gitignore .gitattributes .dockerignore .editorconfig .npmrc .flake8 .pylintrc .prettierrc .eslintrc
readme license licence changelog authors notice copying todo version
"""
CODE = frozenset(_CODE.split())
TEXT = frozenset(_TEXT.split())


def _read_code(source: Source, limits: Limits) -> Document:
    return text_document(source, limits, source.suffix.lstrip(".") or "code", Family.CODE, text_of(source))


def _read_text(source: Source, limits: Limits) -> Document:
    decoded = text_of(source)
    suffix = source.suffix.lstrip(".")
    script = decoded.text.startswith("#!")
    family = Family.CODE if script else Family.TEXT
    name = suffix if source.suffix in TEXT and suffix else "txt"
    return text_document(source, limits, name, family, decoded, facts=tail_facts(source, limits))


CODE_READER = Reader("code", CODE, never, _read_code, textual=True)
TEXT_READER = Reader("text", TEXT, looks_like_text, _read_text, textual=True)
