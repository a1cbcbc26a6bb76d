"""How programs usually name the files they write and read, language by language."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

import pytest

from tests.modules.graph.conftest import Make

IDIOMS: list[tuple[str, str, str]] = [
    (
        "a.java",
        'import java.io.*; public class A { public static void main(String[] a) throws Exception { BufferedWriter w = new BufferedWriter(new FileWriter("out/a.txt")); w.write("x"); } }',
        "writes out/a.txt",
    ),
    (
        "a.java",
        'import java.nio.file.*; class A { static final String D="out"; public static void main(String[] a) throws Exception { Path p = Paths.get(D).resolve("b.csv"); try (var w = Files.newBufferedWriter(p)) { w.write("x"); } } }',
        "writes out/b.csv",
    ),
    (
        "a.java",
        'import java.io.*; class A { public static void main(String[] a) throws Exception { File dir = new File("out"); dir.mkdirs(); File f = new File(dir, "c.txt"); PrintWriter w = new PrintWriter(f, "UTF-8"); } }',
        "writes out/c.txt",
    ),
    (
        "a.java",
        'class A { public static void main(String[] a) throws Exception { String out = a.length > 0 ? a[0] : "out/d.txt"; new A().go(out); } void go(String path) throws Exception { new java.io.FileOutputStream(path); } }',
        "writes out/d.txt",
    ),
    (
        "a.java",
        'import javax.imageio.ImageIO; class A { public static void main(String[] a) throws Exception { ImageIO.write(img, "png", new File("out/e.png")); } }',
        "writes out/e.png",
    ),
    (
        "a.kt",
        'import java.io.File\nfun main() {\n  val dir = File("out")\n  val f = dir.resolve("a.txt")\n  f.printWriter().use { it.println("x") }\n}',
        "writes out/a.txt",
    ),
    (
        "a.kt",
        'import kotlin.io.path.*\nfun main() {\n  Path("out/b.txt").writeText("x")\n  File("out/c.csv").bufferedWriter().use { out -> out.write("x") }\n}',
        "writes out/b.txt",
    ),
    (
        "main.go",
        'package main\nimport "os"\nfunc main() { f, err := os.OpenFile("out/a.txt", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0644); _ = f; _ = err }',
        "writes out/a.txt",
    ),
    (
        "main.go",
        'package main\nimport ("flag";"os")\nvar out = flag.String("out", "out/b.txt", "usage")\nfunc main() { flag.Parse(); os.Create(*out) }',
        "writes out/b.txt",
    ),
    (
        "main.go",
        'package main\nimport ("os";"path")\ntype App struct { dir string }\nfunc (a *App) Save() { os.WriteFile(path.Join(a.dir, "c.txt"), nil, 0644) }\nfunc main() { a := &App{dir: "out"}; a.Save() }',
        "writes out/c.txt",
    ),
    (
        "main.go",
        'package main\nimport "gonum.org/v1/plot"\nfunc main() { p := plot.New(); p.Save(4*vg.Inch, 4*vg.Inch, "out/d.png") }',
        "writes out/d.png",
    ),
    (
        "src/main.rs",
        'use std::fs::OpenOptions;\nfn main() { let f = OpenOptions::new().append(true).create(true).open("out/a.txt").unwrap(); }',
        "writes out/a.txt",
    ),
    (
        "src/main.rs",
        'use std::path::PathBuf;\nfn main() { let mut p = PathBuf::from("out"); let q = p.join("b.txt"); std::fs::write(&q, "x").expect("x"); }',
        "writes out/b.txt",
    ),
    (
        "src/main.rs",
        'use plotters::prelude::*;\nfn main() { let root = BitMapBackend::new("out/c.png", (640, 480)).into_drawing_area(); let mut w = csv::Writer::from_path("out/d.csv").unwrap(); }',
        "writes out/c.png",
    ),
    (
        "a.c",
        '#include <stdio.h>\nint main(void){ char path[99]; snprintf(path, 99, "%s/a.txt", "out"); FILE *f = fopen("out/b.txt", "a+"); return 0; }',
        "writes out/b.txt",
    ),
    (
        "a.cpp",
        '#include <fstream>\n#include <string>\nusing namespace std;\nint main(){ string dir = "out"; ofstream f; f.open((dir + "/a.txt").c_str()); fstream g("out/b.txt", ios::out); ofstream h(dir + "/c.txt", ios::app); }',
        "writes out/a.txt",
    ),
    (
        "a.cpp",
        '#include <fstream>\nclass W { std::string path = "out/d.txt"; public: void go(){ std::ofstream f(path); } };\nint main(){ W w; w.go(); }',
        "writes out/d.txt",
    ),
    (
        "a.cs",
        'using System.IO;\nvar dir = "out";\nDirectory.CreateDirectory(dir);\nawait File.WriteAllTextAsync(Path.Combine(dir, "a.txt"), "x");\nusing (var w = new StreamWriter(Path.Combine(dir, "b.txt"))) { w.WriteLine("x"); }',
        "writes out/a.txt",
    ),
    (
        "a.cs",
        'class P { static void Main() { using var fs = new FileStream("out/c.bin", FileMode.Create); File.Copy("a.txt", "out/d.txt"); } }',
        "writes out/c.bin",
    ),
    (
        "a.rb",
        'require "json"\nFile.open("out/a.json", "w") do |f|\n  f.write(JSON.dump(x))\nend\nIO.write("out/b.txt", "x")',
        "writes out/a.json",
    ),
    ("a.rb", 'out = ARGV[0] || "out/c.txt"\nFile.write(out, "x")', "writes out/c.txt"),
    ("a.rb", 'path = Pathname.new("out") / "d.txt"\npath.write("x")', "writes out/d.txt"),
    (
        "a.php",
        '<?php $dir = "out"; $f = fopen("$dir/a.txt", "w"); fputs($f, "x"); file_put_contents($dir . DIRECTORY_SEPARATOR . "b.txt", "x");',
        "writes out/a.txt",
    ),
    (
        "a.php",
        '<?php $pdo = new PDO("sqlite:data/app.db"); imagepng($im, __DIR__ . "/out/c.png");',
        "writes data/app.db",
    ),
    (
        "a.jl",
        'using DelimitedFiles\nout = joinpath("out", "a.csv")\nwritedlm(out, x, \',\')\nopen(io -> write(io, "x"), "out/b.txt", "w")',
        "writes out/a.csv",
    ),
    ("a.jl", 'using Plots\np = plot(x)\nsavefig(p, "out/c.png")\nCSV.write("out/d.csv", df)', "writes out/c.png"),
    (
        "a.R",
        'pdf("out/a.pdf")\nplot(1)\ndev.off()\nsink("out/b.txt")\nwriteLines("x", "out/c.txt")\ncat("x", file = "out/d.txt", append = TRUE)\nwrite_csv(df, here("out", "e.csv"))\nsave(df, file="out/f.RData")',
        "writes out/d.txt",
    ),
    ("a.R", 'out <- "out"\nfor (i in 1:3) { png(sprintf("%s/p_%d.png", out, i)); plot(i) }', "writes out/p_{}.png"),
    ("a.R", 'con <- file("out/g.txt", open = "w")\nwriteLines("x", con)', "writes out/g.txt"),
    (
        "main.swift",
        'import Foundation\nlet url = URL(fileURLWithPath: "out").appendingPathComponent("a.txt")\ntry! "x".write(to: url, atomically: true, encoding: .utf8)\ntry data.write(to: URL(fileURLWithPath: "out/b.json"))',
        "writes out/a.txt",
    ),
    (
        "a.sh",
        'set -e\nDIR=$(cd "$(dirname "$0")" && pwd)\nRESULT=$DIR/out\ncat <<EOF > $RESULT/a.txt\nx\nEOF\necho b >>"$RESULT/b.txt"\ncurl -o out/c.json http://x\nwget -O out/d.html http://x',
        "writes out/a.txt",
    ),
    (
        "a.sh",
        'save() {\n  echo "$1" > "$2"\n}\nsave hello out/e.txt\nsort in.txt | tee out/f.txt | wc -l\nsqlite3 data/x.db < schema.sql',
        "writes out/e.txt",
    ),
    (
        "a.js",
        'import { writeFile } from "fs/promises";\nconst cfg = { out: "out/a.json" };\nawait writeFile(cfg.out, "x");',
        "writes out/a.json",
    ),
    (
        "a.ts",
        'import * as fs from "node:fs";\nclass W { constructor(private dir: string) {} save() { fs.writeFileSync(`${this.dir}/b.txt`, "x"); } }\nnew W("out").save();',
        "writes out/b.txt",
    ),
    (
        "a.ts",
        'import path from "path"; import fs from "fs";\nconst OUT = process.env.OUT ?? "out";\nexport function save(name: string) { fs.createWriteStream(path.join(OUT, name + ".csv")); }\nsave("c");',
        "writes out/c.csv",
    ),
    (
        "a.scala",
        'import java.io._\nobject A extends App {\n  val pw = new PrintWriter(new File("out/a.txt"))\n  pw.write("x")\n  df.write.mode("overwrite").csv("out/b")\n}',
        "writes out/a.txt",
    ),
    (
        "a.scala",
        'import java.nio.file._\n@main def run(): Unit =\n  val p = Paths.get("out", "c.txt")\n  Files.writeString(p, "x")\n',
        "writes out/c.txt",
    ),
    (
        "q.sql",
        ".mode csv\n.once out/a.csv\nSELECT 1;\n\\copy t TO 'out/b.csv' CSV\nSELECT * INTO OUTFILE 'out/c.csv' FROM t;",
        "writes out/b.csv",
    ),
    (
        "a.html",
        '<script>fetch("data/x.json").then(r=>r.json()); d3.csv("data/y.csv")</script><video src="out/v.mp4"></video>',
        "reads data/y.csv",
    ),
]


@pytest.mark.parametrize(("path", "source", "expected"), IDIOMS, ids=[f"{path} {what}" for path, _, what in IDIOMS])
def test_a_usual_way_to_name_a_file(make: Make, path: str, source: str, expected: str) -> None:
    graph = make({path: source})
    found = {f"{item.access} {item.pattern}" for item in graph.files[path].accesses if item.reachable}
    assert expected in found


NO_FILES = [
    ("a.js", 'fetch("https://x.io/a.json"); fs.readFile(`${a}`);'),
    ("a.sh", "ls > /dev/null 2>&1\nfoo 2>&1 >&2\necho x | sed 's/a/b/' -\n"),
    ("a.go", 'package a\nimport "os"\nfunc F(p string) { os.Open(p) }'),
    ("a.c", '#include <stdio.h>\nint main(void) { printf("%s/x.txt", "a"); return fopen == 0; }'),
    ("a.rb", "open('https://x.io/a')\nUser.new('a.b').save\nputs 'a/b.txt'"),
    ("a.R", "x <- c('a.csv', 'b.csv')\nprint(x)\nsave(x)\n"),
]


@pytest.mark.parametrize(("path", "source"), NO_FILES, ids=[path for path, _ in NO_FILES])
def test_what_names_no_file_of_the_workspace(make: Make, path: str, source: str) -> None:
    graph = make({path: source})
    assert [item.pattern for item in graph.files[path].accesses if item.pattern] == []


def test_a_path_comes_from_another_file(make: Make) -> None:
    graph = make(
        {
            "app/Config.java": 'package app; public class Config { public static final String OUT = "results"; }',
            "app/Main.java": 'package app; import java.nio.file.*; class Main { public static void main(String[] a) throws Exception { Files.writeString(Path.of(Config.OUT, "x.txt"), "1"); } }',
            "lib/paths.js": "export const OUT = 'out';\n",
            "main.js": "import { OUT } from './lib/paths.js';\nimport fs from 'fs';\nfs.writeFileSync(`${OUT}/y.txt`, 'x');\n",
            "settings.h": '#define TARGET "bin/z.txt"\n',
            "main.c": '#include "settings.h"\n#include <stdio.h>\nint main(void) { FILE *f = fopen(TARGET, "w"); return 0; }\n',
        }
    )
    for path in ("results/x.txt", "out/y.txt", "bin/z.txt"):
        assert [access.reachable for _, access in graph.writers(path)] == [True], path


FRAMEWORKS = [
    (
        {
            "src/Api.java": '@RestController\nclass Api { @GetMapping("/x") String x() { return help(1); } String help(int n) { return repo(n) + n; } }\nclass Unused { int never() { return f(1); } }',
            "src/Main.java": "@SpringBootApplication\npublic class Main { public static void main(String[] a) { SpringApplication.run(Main.class, a); } }",
        },
        {"Api", "Api.x", "Api.help"},
        {"Unused", "Unused.never"},
    ),
    (
        {
            "app/controllers/application_controller.rb": "class ApplicationController < ActionController::Base\nend\n",
            "app/controllers/books_controller.rb": "class BooksController < ApplicationController\n  before_action :load\n  def index\n    render json: Book.all\n  end\n  def load\n    @book = Book.find(1)\n  end\nend\n",
            "bin/start.rb": "Server.start\n",
            "lib/never.rb": "class Never\n  def go\n    Book.all.each { |b| b.x }\n  end\nend\n",
        },
        {"BooksController", "BooksController.index", "BooksController.load"},
        {"Never.go"},
    ),
    (
        {
            "package.json": '{"dependencies": {"next": "14"}, "main": "server.js"}',
            "server.js": "const next = require('next');\nnext().prepare();\n",
            "pages/index.tsx": "import { Card } from '../ui/Card';\nexport default function Home() { return <Card title='x'/>; }\n",
            "ui/Card.tsx": "export function Card(p) { return <b>{p.title.trim()}</b>; }\nexport function Spare(p) { return <i>{p.title.trim()}</i>; }\n",
        },
        {"Home", "Card"},
        {"Spare"},
    ),
]


@pytest.mark.parametrize(("files", "live", "dead"), FRAMEWORKS, ids=["spring", "rails", "next"])
def test_frameworks_call_what_they_find(
    make: Make, files: dict[str, str | bytes], live: set[str], dead: set[str]
) -> None:
    graph = make(files)
    known = {item.qualname: item.reachable for code in graph.files.values() for item in code.definitions}
    assert {name for name in live if not known[name]} == set()
    assert {name for name in dead if known[name]} == set()
