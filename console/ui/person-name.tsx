import { Avatar } from './avatar.tsx';
import classes from './person.module.css';

interface PersonNameProps {
  readonly name: string;
  /** A word after the name, such as "You". */
  readonly note?: string | undefined;
}

/** A person in one line of a table: initials and name. */
export function PersonName({ name, note }: PersonNameProps) {
  return (
    <span className={classes.person} data-line>
      <Avatar name={name} size={20} />
      <span className={classes.name}>
        {name}
        {note === undefined ? null : <span className={classes.note}> ({note})</span>}
      </span>
    </span>
  );
}
