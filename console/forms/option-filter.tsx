import { TextField } from '../ui/text-field.tsx';

interface OptionFilterProps {
  /** Such as "Search lists". */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text that narrows the options of a field. Enter does not send the form around it. */
export function OptionFilter(props: OptionFilterProps) {
  return <TextField {...props} onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()} />;
}
