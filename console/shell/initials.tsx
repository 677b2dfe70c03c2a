import classes from './initials.module.css';

/** The first letters of a name in a square or circle. */
export function Initials({ name, isRound = false }: { readonly name: string; readonly isRound?: boolean }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return (
    <span className={classes.initials} data-round={isRound || undefined} aria-hidden="true">
      {letters.join('').toUpperCase()}
    </span>
  );
}
