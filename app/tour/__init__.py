"""The main job, driven from outside with real keys and a real mouse."""
