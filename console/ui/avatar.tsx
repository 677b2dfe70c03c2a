import classes from './avatar.module.css';

interface AvatarProps {
  readonly name: string;
  /** Width and height in px. */
  readonly size?: 20 | 24 | 32 | 40;
  /** Organisations have rounded corners, people are round. */
  readonly isSquare?: boolean;
}

/** Initials of a name. Decorative: the name itself is next to them. */
export function Avatar({ name, size = 24, isSquare = false }: AvatarProps) {
  return (
    <span className={classes.avatar} data-size={size} data-square={isSquare || undefined} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

/** Returns the first letters of the first and last word. */
function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters.map((word = '') => [...word][0]?.toUpperCase() ?? '').join('') || '?';
}
