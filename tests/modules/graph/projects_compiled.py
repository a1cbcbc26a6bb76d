"""Small projects in compiled languages, and what the graph must know of each."""

# ruff: noqa: E501 - small sources read best on one line

from __future__ import annotations

from tests.modules.graph.project import Project

JAVA = Project(
    language="java",
    files={
        "src/main/java/com/acme/App.java": """
            package com.acme;

            import com.acme.io.Store;
            import java.util.List;

            public class App {
                private static final String OUT = "results";

                public static void main(String[] args) throws Exception {
                    Store store = new Store(OUT + "/report.txt");
                    store.save(List.of("a", "b"));
                    new Stats().describe();
                }
            }
        """,
        "src/main/java/com/acme/Stats.java": """
            package com.acme;

            class Stats implements Comparable<Stats> {
                void describe() { System.out.println(mean(3)); }
                double mean(int n) { int total = 0; for (int i = 0; i < n; i++) { total += i; } return total / (double) n; }
                void spare() { int x = 1; System.out.println(x + mean(2)); }
                public int compareTo(Stats other) { return 0; }
                int later() { throw new UnsupportedOperationException("not implemented"); }
            }
        """,
        "src/main/java/com/acme/io/Store.java": """
            package com.acme.io;

            import java.io.FileWriter;
            import java.nio.file.*;

            public class Store extends Base {
                private final String path;
                public Store(String path) { this.path = path; }
                public void save(Iterable<String> rows) throws Exception {
                    Files.createDirectories(Paths.get("results"));
                    try (FileWriter w = new FileWriter(path)) { for (String r : rows) { w.write(r); } }
                    String seed = Files.readString(Path.of("data", "seed.csv"));
                }
                public void export() throws Exception { Files.writeString(Path.of("results/never.txt"), "x"); }
            }
            class Base {}
        """,
        "src/test/java/com/acme/StatsTest.java": """
            package com.acme;
            import org.junit.jupiter.api.Test;
            class StatsTest { @Test void mean() { new Stats().mean(2); } }
        """,
        "src/main/java/com/acme/Broken.java": "package com.acme;\npublic class Broken {\n  int fine() { return 1 + 2; }\n  void bad( { \n",
        "results/report.txt": "a",
        "data/seed.csv": "1",
    },
    entries={"src/main/java/com/acme/App.java": "main function", "src/test/java/com/acme/StatsTest.java": "test"},
    definitions={"App", "App.main", "Stats.mean", "Store.save", "Base", "StatsTest.mean"},
    stubs={"Stats.later"},
    calls={
        ("App.main", "Store"),
        ("App.main", "Store.save"),
        ("App.main", "Stats.describe"),
        ("Stats.describe", "Stats.mean"),
    },
    imports={
        ("src/main/java/com/acme/App.java", "src/main/java/com/acme/io/Store.java"),
        ("src/main/java/com/acme/App.java", "src/main/java/com/acme/Stats.java"),
    },
    packages={"java", "org.junit"},
    inherits={("Store", "Base")},
    writes={"results/report.txt": True, "results/never.txt": False},
    reads={"data/seed.csv": True},
    dead={"Stats.spare", "Store.export"},
    broken={"src/main/java/com/acme/Broken.java": "fine"},
)

KOTLIN = Project(
    language="kotlin",
    files={
        "src/main/kotlin/app/Main.kt": """
            package app

            import app.util.Report
            import app.util.plural as many

            const val FOLDER = "out"

            fun main(args: Array<String>) {
                val report = Report("$FOLDER/summary.txt")
                report.add("x")
                report.save()
                println(many(2))
            }

            fun unused() { java.io.File("out/unused.txt").writeText("never") }
        """,
        "src/main/kotlin/app/util/Report.kt": """
            package app.util

            import java.io.File

            interface Sink { fun add(line: String) }

            class Report(private val path: String) : Sink {
                private val lines = mutableListOf<String>()
                override fun add(line: String) { lines.add(line) }
                fun save() {
                    val template = File("templates", "head.txt").readText()
                    File(path).writeText(template + lines.joinToString("\\n"))
                }
                companion object { const val KIND = "plain" }
            }

            fun plural(n: Int): String = if (n == 1) "one" else "many"
            fun later(): String = TODO("not yet")
        """,
        "src/main/kotlin/app/Broken.kt": "package app\n\nfun before(): Int { return listOf(1).size }\n\nfun bad( {\n",
        "templates/head.txt": "h",
    },
    entries={"src/main/kotlin/app/Main.kt": "main function"},
    definitions={"main", "Report", "Report.save", "Sink", "plural"},
    stubs={"later"},
    calls={("main", "Report"), ("main", "Report.save"), ("main", "plural")},
    imports={("src/main/kotlin/app/Main.kt", "src/main/kotlin/app/util/Report.kt")},
    packages={"java"},
    inherits={("Report", "Sink")},
    writes={"out/summary.txt": True, "out/unused.txt": False},
    reads={"templates/head.txt": True},
    dead={"unused", "later"},
    broken={"src/main/kotlin/app/Broken.kt": "before"},
)

GO = Project(
    language="go",
    files={
        "go.mod": "module example.com/acme\n\ngo 1.22\n",
        "cmd/run/main.go": """
            package main

            import (
                "fmt"
                "os"
                "path/filepath"

                "example.com/acme/internal/stats"
                "github.com/spf13/cobra"
            )

            const outDir = "results"

            func main() {
                mean := stats.Mean([]float64{1, 2})
                out := filepath.Join(outDir, "x.txt")
                if err := os.WriteFile(out, []byte(fmt.Sprint(mean)), 0o644); err != nil { panic(err) }
                save("metrics")
                _ = cobra.Command{}
            }
        """,
        "cmd/run/save.go": """
            package main

            import ("encoding/csv"; "os")

            type Writer struct { name string }
            func (w *Writer) Close() error { f, err := os.Open(w.name); if err != nil { return err }; return f.Close() }

            func save(name string) {
                f, _ := os.Create(outDir + "/" + name + ".csv")
                csv.NewWriter(f)
                w := &Writer{name: name}
                w.Close()
            }

            func forgotten() { os.WriteFile("results/forgotten.txt", nil, 0o600) }
        """,
        "internal/stats/stats.go": """
            package stats

            import "os"

            // Mean of values.
            func Mean(values []float64) float64 {
                total := 0.0
                for _, v := range values { total += v }
                return total / float64(len(values))
            }

            func Load() ([]byte, error) { return os.ReadFile("data/in.csv") }
            func Todo() { panic("not implemented") }
        """,
        "internal/stats/stats_test.go": 'package stats\n\nimport "testing"\n\nfunc TestMean(t *testing.T) { if Mean([]float64{1}) != 1 { t.Fatal("x") } }\n',
        "internal/stats/broken.go": "package stats\n\nfunc Fine(a int) int { b := a * 2; return b }\n\nfunc Bad( {\n",
        "results/x.txt": "1.5",
        "data/in.csv": "1",
    },
    entries={"cmd/run/main.go": "main function", "internal/stats/stats_test.go": "test"},
    definitions={"main", "save", "Writer", "Writer.Close", "Mean", "TestMean"},
    stubs={"Todo"},
    calls={("main", "Mean"), ("main", "save"), ("save", "Writer.Close"), ("TestMean", "Mean")},
    imports={("cmd/run/main.go", "internal/stats/stats.go"), ("cmd/run/main.go", "cmd/run/save.go")},
    packages={"github.com/spf13/cobra", "os", "encoding"},
    writes={"results/x.txt": True, "results/metrics.csv": True, "results/forgotten.txt": False},
    reads={"data/in.csv": False},
    dead={"forgotten", "Load"},
    tests={("TestMean", "Mean")},
    broken={"internal/stats/broken.go": "Fine"},
)

RUST = Project(
    language="rust",
    files={
        "Cargo.toml": '[package]\nname = "acme-app"\nversion = "0.1.0"\n',
        "src/main.rs": """
            mod report;
            use report::{Report, render as show};
            use std::fs;

            const OUT: &str = "results";

            fn main() -> std::io::Result<()> {
                let report = Report::new(&format!("{}/summary.txt", OUT));
                report.save()?;
                println!("{}", show(&report));
                let seed = fs::read_to_string("data/seed.txt")?;
                Ok(())
            }

            #[cfg(test)]
            mod tests {
                use super::*;
                #[test]
                fn renders() { assert_eq!(show(&Report::new("x")), "x"); }
            }
        """,
        "src/report/mod.rs": """
            use std::fs::File;
            use std::path::{Path, PathBuf};
            use crate::report::format::line;
            pub mod format;

            pub trait Save { fn save(&self) -> std::io::Result<()>; }

            #[derive(Debug, Clone)]
            pub struct Report { path: PathBuf }

            impl Report {
                pub fn new(path: &str) -> Self { Report { path: PathBuf::from(path) } }
                pub fn spare(&self) -> usize { let f = File::create("results/spare.txt"); line("x").len() + 1 }
            }

            impl Save for Report {
                fn save(&self) -> std::io::Result<()> {
                    let mut f = File::create(Path::new("results").join("table.csv"))?;
                    std::fs::write("results/raw.txt", line("a"))?;
                    Ok(())
                }
            }

            pub fn render(report: &Report) -> String { line(&format!("{:?}", report.path)) }
        """,
        "src/report/format.rs": "pub fn line(text: &str) -> String { let mut out = String::from(text); out.push('.'); out }\npub fn later() -> u8 { todo!() }\n",
        "src/broken.rs": "pub fn fine(a: i32) -> i32 { let b = a + 1; b * 2 }\n\npub fn bad( -> {\n",
        "data/seed.txt": "x",
    },
    entries={"src/main.rs": "main function"},
    definitions={"main", "Report", "Report.new", "Report.save", "Save", "render", "line", "renders"},
    stubs={"later"},
    calls={("main", "Report.new"), ("main", "Report.save"), ("main", "render"), ("render", "line")},
    imports={("src/main.rs", "src/report/mod.rs"), ("src/report/mod.rs", "src/report/format.rs")},
    packages={"std"},
    inherits={("Report", "Save")},
    writes={"results/table.csv": True, "results/raw.txt": True, "results/spare.txt": False},
    reads={"data/seed.txt": True},
    dead={"Report.spare", "later"},
    broken={"src/broken.rs": "fine"},
)

C = Project(
    language="c",
    files={
        "src/main.c": """
            #include <stdio.h>
            #include "stats.h"
            #define OUT_DIR "results"
            #define OUT OUT_DIR "/out.txt"

            int main(int argc, char **argv) {
                double values[] = {1, 2};
                FILE *f = fopen(OUT, "w");
                fprintf(f, "%f", mean(values, 2));
                fclose(f);
                FILE *in = fopen("data/in.txt", "r");
                dump(argc > 1 ? argv[1] : "results/default.bin");
                return 0;
            }
        """,
        "src/stats.c": """
            #include "stats.h"
            #include <stdio.h>

            struct point { int x; };

            double mean(const double *values, int n) {
                double total = 0;
                for (int i = 0; i < n; i++) { total += values[i]; }
                return total / n;
            }

            void dump(const char *path) { FILE *f = fopen(path, "wb"); fwrite(path, 1, 1, f); }
            static void never(void) { FILE *f = fopen("results/never.txt", "a"); fputs("x", f); }
        """,
        "src/stats.h": "double mean(const double *values, int n);\nvoid dump(const char *path);\n",
        "src/broken.c": "int fine(int a) { int b = a + 1; return b; }\n\nint bad( {\n",
        "results/out.txt": "1",
        "data/in.txt": "1",
    },
    entries={"src/main.c": "main function"},
    definitions={"main", "mean", "dump", "point", "never"},
    calls={("main", "mean"), ("main", "dump")},
    imports={("src/main.c", "src/stats.h"), ("src/main.c", "src/stats.c")},
    packages={"stdio"},
    writes={"results/out.txt": True, "results/default.bin": True, "results/never.txt": False},
    reads={"data/in.txt": True},
    dead={"never"},
    broken={"src/broken.c": "fine"},
)

CPP = Project(
    language="cpp",
    files={
        "main.cpp": """
            #include "include/report.hpp"
            #include <opencv2/opencv.hpp>
            #include <fstream>

            int main() {
                acme::Report report("results/report.txt");
                report.save();
                std::ofstream log{"results/log.txt"};
                log << "done";
                std::ifstream in;
                in.open("data/in.txt");
                cv::Mat image = cv::imread("data/cat.png");
                cv::imwrite(std::string("results") + "/cat.png", image);
            }
        """,
        "include/report.hpp": """
            #pragma once
            #include <string>
            namespace acme {
            class Base { public: virtual ~Base() = default; };
            class Report : public Base {
              public:
                explicit Report(std::string path) : path_(path) {}
                void save();
                void idle() { std::ofstream f("results/idle.txt"); f << path_; }
              private:
                std::string path_;
            };
            }
        """,
        "src/report.cpp": """
            #include "../include/report.hpp"
            #include <fstream>
            #include <filesystem>
            namespace acme {
            static int lines(int n) { int total = n * 2; return total + 1; }
            void Report::save() {
                std::ofstream out(std::filesystem::path("results") / "table.csv");
                out << lines(3);
            }
            }
        """,
        "broken.cpp": "int fine(int a) { int b = a + 1; return b; }\n\nclass Bad { void x( };\n int bad( {\n",
        "data/in.txt": "1",
    },
    entries={"main.cpp": "main function"},
    definitions={"main", "Base", "Report", "Report.save", "Report.idle", "lines"},
    calls={("main", "Report"), ("main", "Report.save"), ("Report.save", "lines")},
    imports={("main.cpp", "include/report.hpp"), ("src/report.cpp", "include/report.hpp")},
    packages={"opencv2", "fstream"},
    inherits={("Report", "Base")},
    writes={"results/log.txt": True, "results/table.csv": True, "results/cat.png": True, "results/idle.txt": False},
    reads={"data/in.txt": True, "data/cat.png": True},
    dead={"Report.idle"},
    broken={"broken.cpp": "fine"},
)

CSHARP = Project(
    language="csharp",
    files={
        "Program.cs": """
            using System.IO;
            using Acme.Reports;

            namespace Acme
            {
                public static class Program
                {
                    private const string OutDir = "results";

                    public static void Main(string[] args)
                    {
                        var writer = new ReportWriter(Path.Combine(OutDir, "report.txt"));
                        writer.Save("hello");
                        File.WriteAllText($"{OutDir}/direct.txt", "x");
                        var text = File.ReadAllText("data/in.json");
                    }
                }
            }
        """,
        "Reports/ReportWriter.cs": """
            using System;
            using System.IO;

            namespace Acme.Reports;

            public interface ISaver { void Save(string text); }

            public class ReportWriter : ISaver
            {
                private readonly string path;
                public ReportWriter(string path) { this.path = path; }
                public void Save(string text)
                {
                    using var stream = new StreamWriter(path);
                    stream.WriteLine(Format(text));
                }
                private string Format(string text) => text.Trim() + Environment.NewLine;
                public void Unused() { File.AppendAllText("results/unused.txt", Format("x")); }
                public void Later() { throw new NotImplementedException(); }
            }
        """,
        "Reports.Tests/ReportTests.cs": 'using Xunit;\nusing Acme.Reports;\nnamespace Acme.Reports.Tests;\npublic class ReportTests { [Fact] public void Saves() { new ReportWriter("x").Save("y"); } }\n',
        "Broken.cs": "namespace Acme { class Broken { int Fine(int a) { var b = a + 1; return b; } void Bad( {\n",
        "data/in.json": "{}",
    },
    entries={"Program.cs": "main function", "Reports.Tests/ReportTests.cs": "test"},
    definitions={"Program.Main", "ISaver", "ReportWriter", "ReportWriter.Save", "ReportWriter.Format"},
    stubs={"ReportWriter.Later"},
    calls={
        ("Program.Main", "ReportWriter"),
        ("Program.Main", "ReportWriter.Save"),
        ("ReportWriter.Save", "ReportWriter.Format"),
    },
    imports={("Program.cs", "Reports/ReportWriter.cs")},
    packages={"System", "Xunit"},
    inherits={("ReportWriter", "ISaver")},
    writes={"results/report.txt": True, "results/direct.txt": True, "results/unused.txt": False},
    reads={"data/in.json": True},
    dead={"ReportWriter.Unused", "ReportWriter.Later"},
    tests={("ReportTests.Saves", "ReportWriter.Save")},
    broken={"Broken.cs": "Fine"},
)

SCALA = Project(
    language="scala",
    files={
        "src/main/scala/acme/Main.scala": """
            package acme

            import acme.io.{Store, Codec => C}
            import java.nio.file.{Files, Paths}

            object Main {
              val out = "results"
              def main(args: Array[String]): Unit = {
                val store = new Store(s"$out/data.txt")
                store.save(C.encode("x"))
                Files.write(Paths.get(out, "direct.txt"), "x".getBytes)
              }
              def unused(): Unit = { Files.write(Paths.get("results/unused.txt"), "x".getBytes) }
            }
        """,
        "src/main/scala/acme/io/Store.scala": """
            package acme.io

            import java.io.{File, PrintWriter}
            import scala.io.Source

            trait Sink { def save(text: String): Unit }

            class Store(path: String) extends Sink {
              override def save(text: String): Unit = {
                val w = new PrintWriter(new File(path))
                w.write(text + Source.fromFile("data/head.txt").mkString)
                w.close()
              }
            }

            object Codec { def encode(text: String): String = { val t = text.trim; t.reverse } 
              def later: Int = ??? }
        """,
        "src/main/scala/acme/Broken.scala": "package acme\n\nobject Broken {\n  def fine(a: Int): Int = { val b = a + 1; b * 2 }\n  def bad( = {\n",
        "data/head.txt": "x",
    },
    entries={"src/main/scala/acme/Main.scala": "main function"},
    definitions={"Main", "Main.main", "Store", "Store.save", "Sink", "Codec.encode"},
    stubs={"Codec.later"},
    calls={("Main.main", "Store"), ("Main.main", "Store.save"), ("Main.main", "Codec.encode")},
    imports={("src/main/scala/acme/Main.scala", "src/main/scala/acme/io/Store.scala")},
    packages={"java", "scala"},
    inherits={("Store", "Sink")},
    writes={"results/data.txt": True, "results/direct.txt": True, "results/unused.txt": False},
    reads={"data/head.txt": True},
    dead={"Main.unused", "Codec.later"},
    broken={"src/main/scala/acme/Broken.scala": "fine"},
)

SWIFT = Project(
    language="swift",
    files={
        "Package.swift": '// swift-tools-version:5.9\nimport PackageDescription\nlet package = Package(name: "acme")\n',
        "Sources/App/main.swift": """
            import Foundation
            import Reports

            let folder = "results"
            let report = Report(path: "\\(folder)/report.txt")
            try report.save()
            try "done".write(toFile: folder + "/done.txt", atomically: true, encoding: .utf8)
        """,
        "Sources/Reports/Report.swift": """
            import Foundation

            public protocol Saving { func save() throws }

            public class Report: Saving {
                let path: String
                public init(path: String) { self.path = path }
                public func save() throws {
                    let head = try String(contentsOfFile: "data/head.txt")
                    let url = URL(fileURLWithPath: path)
                    try render(head).write(to: url, atomically: true, encoding: .utf8)
                }
                func render(_ head: String) -> String { let line = head + "!"; return line.uppercased() }
                func unused() { FileManager.default.createFile(atPath: "results/unused.txt", contents: nil) }
            }

            extension Report { func later() -> Int { fatalError("not implemented") } }
        """,
        "Tests/ReportTests/ReportTests.swift": 'import XCTest\n@testable import Reports\nclass ReportTests: XCTestCase { func testSave() throws { try Report(path: "x").save() } }\n',
        "Sources/App/Broken.swift": "func fine(_ a: Int) -> Int { let b = a + 1; return b * 2 }\n\nfunc bad( {\n",
        "data/head.txt": "x",
    },
    entries={"Sources/App/main.swift": "module-level work", "Tests/ReportTests/ReportTests.swift": "test"},
    definitions={"Saving", "Report", "Report.init", "Report.save", "Report.render", "Report.later"},
    stubs={"Report.later"},
    calls={("", "Report"), ("", "Report.save"), ("Report.save", "Report.render")},
    imports={("Sources/App/main.swift", "Sources/Reports/Report.swift")},
    packages={"Foundation", "XCTest"},
    inherits={("Report", "Saving")},
    writes={"results/report.txt": True, "results/done.txt": True, "results/unused.txt": False},
    reads={"data/head.txt": True},
    dead={"Report.unused", "Report.later"},
    broken={"Sources/App/Broken.swift": "fine"},
)

PROJECTS = (JAVA, KOTLIN, GO, RUST, C, CPP, CSHARP, SCALA, SWIFT)
