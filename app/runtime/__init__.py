"""What any program needs and nothing of this one: tasks, events, words, logs, paths, crashes."""
