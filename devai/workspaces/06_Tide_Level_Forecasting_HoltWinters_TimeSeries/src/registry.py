"""Baselines announce themselves here."""
BASELINES = {}


def baseline(name):
    def keep(function):
        BASELINES[name] = function
        return function
    return keep
