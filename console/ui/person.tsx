import { Avatar } from './avatar.tsx';
import classes from './person.module.css';

interface PersonProps {
  readonly name: string;
  readonly email: string;
  /** A word after the name, such as "You". */
  readonly note?: string | undefined;
}

/** A person in a list: initials, name and address. */
export function Person({ name, email, note }: PersonProps) {
  return (
    <span className={classes.person}>
      <Avatar name={name} size={24} />
      <span className={classes.words}>
        <span className={classes.name}>
          {name}
          {note === undefined ? null : <span className={classes.note}> ({note})</span>}
        </span>
        <span className={classes.email}>{email}</span>
      </span>
    </span>
  );
}
