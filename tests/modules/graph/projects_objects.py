"""Small projects in languages of the JVM, C# and Swift, and what the graph must know of each."""

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

PROJECTS = (JAVA, KOTLIN, SCALA, CSHARP, SWIFT)
