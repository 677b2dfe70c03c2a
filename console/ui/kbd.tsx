import classes from './kbd.module.css';

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Names of keys on Apple's keyboards and on all others. */
const KEY_NAMES: Readonly<Record<string, readonly [apple: string, other: string]>> = {
  Mod: ['⌘', 'Ctrl'],
  Shift: ['⇧', 'Shift'],
  Alt: ['⌥', 'Alt'],
  Enter: ['↵', 'Enter'],
  Backspace: ['⌫', 'Backspace'],
  Escape: ['Esc', 'Esc'],
  ArrowUp: ['↑', '↑'],
  ArrowDown: ['↓', '↓'],
};

interface KbdProps {
  /** Keys pressed together, such as `Mod+K`. `Mod` is Command on Apple's keyboards, else Control. */
  readonly keys: string;
}

/** Keys that run a command. */
export function Kbd({ keys }: KbdProps) {
  return (
    <span className={classes.keys}>
      {keys.split('+').map((key) => (
        <kbd key={key} className={classes.key}>
          {KEY_NAMES[key]?.[IS_APPLE ? 0 : 1] ?? key}
        </kbd>
      ))}
    </span>
  );
}
