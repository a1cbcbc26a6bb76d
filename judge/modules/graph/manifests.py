"""Files that people or their tools write for a project itself: manifests, locks, build files, settings, documents."""

from __future__ import annotations

import posixpath
import re

_NAMES = frozenset(
    """
    angular.json app.json appsettings.json biome.json bower.json build.xml cargo.lock cmakelists.txt codecov.yml
    components.json composer.json composer.lock conanfile.txt deno.json deno.jsonc deps.edn description elm.json
    firebase.json gemfile go.mod go.sum go.work go.work.sum jest.config.json jsconfig.json lerna.json manifest.in
    meson.build mix.exs mix.lock namespace netlify.toml nodemon.json now.json npm-shrinkwrap.json nx.json
    package-lock.json package.json package.resolved package.swift packages.config paket.dependencies pipfile
    pipfile.lock pnpm-lock.yaml pom.xml procfile project.clj project.json pubspec.lock pubspec.yaml pyrightconfig.json
    rebar.config renv.lock runtime.txt stack.yaml staticwebapp.config.json symfony.lock tasks.json tslint.json
    turbo.json typedoc.json vcpkg.json vercel.json web.config yarn.lock
    """.split()
)
_PROJECT = frozenset(
    {"go.mod", "Cargo.toml", "composer.json", "build.gradle", "pom.xml", "Package.swift", "DESCRIPTION"}
)
_SHAPES = re.compile(
    r"(?:[a-z]+[-_.])?(?:requirements|constraints)(?:[-_.][\w.-]*)?\.(?:txt|in)"
    r"|(?:ts|js)config[\w.-]*\.jsonc?|appsettings\.[\w-]+\.json|[\w-]+\.config\.json|\.[\w.-]+"
    r"|(?:readme|licen[cs]e|copying|notice|authors|changelog|changes|contributing)(?:[-_.][\w-]+)?(?:\.(?:txt|html))?"
)
_ENDINGS = frozenset(
    """
    .adoc .bazel .bzl .cabal .cfg .cmake .conf .config .csproj .editorconfig .env .fsproj .gemspec .gradle .ini .lock
    .md .mk .nimble .nix .nuspec .opam .podspec .properties .props .resolved .rockspec .rproj .rst .sbt .sln .slnx
    .targets .toml .vbproj .vcxproj .xcconfig .yaml .yml
    """.split()
)


def is_project(path: str) -> bool:
    """Whether a file says how modules of a project are named."""
    return posixpath.basename(path) in _PROJECT


def is_manifest(name: str, ending: str) -> bool:
    """Whether a file is about the project, by its name; such a file is not expected to be written by its code.

    Args:
        name: The last part of its path.
        ending: Its extension in lower case, with the dot.

    >>> is_manifest("go.mod", ".mod"), is_manifest("requirements-dev.txt", ".txt"), is_manifest("scores.json", ".json")
    (True, True, False)
    """
    low = name.lower()
    return ending in _ENDINGS or low in _NAMES or _SHAPES.fullmatch(low) is not None
