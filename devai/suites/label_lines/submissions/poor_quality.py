import os, sys
def label_lines(text, width):
    if width < 1:
        raise ValueError
    Lines = []
    L = ""
    Words = text.split()
    I = 0
    while True:
        if I >= len(Words):
            break
        else:
            W = Words[I]
            if L == "":
                if len(W) <= width:
                    L = W
                else:
                    while True:
                        if len(W) > width:
                            Lines.append(W[0:width])
                            W = W[width:]
                        else:
                            break
                    L = W
            else:
                if len(L) + 1 + len(W) <= width:
                    L = L + " " + W
                else:
                    Lines.append(L)
                    L = ""
                    if len(W) <= width:
                        L = W
                    else:
                        while True:
                            if len(W) > width:
                                Lines.append(W[0:width])
                                W = W[width:]
                            else:
                                break
                        L = W
            I = I + 1
    if L == "":
        return Lines
    else:
        Lines.append(L)
        return Lines
