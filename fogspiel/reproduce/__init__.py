"""Printed tables and figures, each as an item: experiments with the printed numbers and a criterion, run by
`fogspiel reproduce DOCUMENT/ITEM`. A document is a folder here; what was found is in `results`."""
