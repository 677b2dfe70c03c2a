import classes from './today.module.css';

const WIDTH = 6;
const GAP = 3;
const HEIGHT = 28;

/** Bars of some days, the last of which is today. Text beside them has the values. */
export function DayBars({ values }: { readonly values: readonly number[] }) {
  const largest = Math.max(1, ...values);
  return (
    <svg
      className={classes.bars}
      width={values.length * (WIDTH + GAP) - GAP}
      height={HEIGHT}
      aria-hidden="true"
      focusable="false"
    >
      {values.map((value, index) => {
        // A day without events still has a mark.
        const height = Math.max(2, Math.round((value / largest) * HEIGHT));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day has no other key than its place
            key={index}
            className={index === values.length - 1 ? classes.today : classes.day}
            x={index * (WIDTH + GAP)}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
            rx="1.5"
          />
        );
      })}
    </svg>
  );
}
