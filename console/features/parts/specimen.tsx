import type { ReactNode } from 'react';
import classes from './specimen.module.css';

interface SpecimenProps {
  /** Name of the component, and the state if it is a certain one. */
  readonly name: string;
  /** Columns of equal width instead of a row. */
  readonly isGrid?: boolean;
  readonly children: ReactNode;
}

/** A component in its states, with its name. */
export function Specimen({ name, isGrid = false, children }: SpecimenProps) {
  return (
    <div className={classes.specimen}>
      <h3 className={classes.name}>{name}</h3>
      <div className={classes.states} data-grid={isGrid || undefined}>
        {children}
      </div>
    </div>
  );
}
