/** Measured values and their limits. */

/** A measured value, which must be at most `aim`. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly aim: number;
  readonly unit: string;
}

/** Prints a line per value, which begins with `title`. Returns true if all reach their aims. */
export function printFigures(title: string, kind: string, figures: readonly Figure[]): boolean {
  for (const { name, value, aim, unit } of figures) {
    const digits = unit === 'ms' || Number.isInteger(value) ? 0 : 1;
    const missed = value <= aim ? '' : ', MISSED';
    console.log(`${title}, ${name} (${kind}): ${value.toFixed(digits)} ${unit} (aim ${aim}${missed})`);
  }
  return figures.every(({ value, aim }) => value <= aim);
}
