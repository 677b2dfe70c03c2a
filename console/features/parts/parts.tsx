import { Icon } from '../../ui/icon.tsx';
import { ICON_NAMES } from '../../ui/icon-names.ts';

/** All components in all their states. */
export function Parts() {
  return (
    <main>
      <h1>Parts</h1>
      {ICON_NAMES.map((name) => (
        <Icon key={name} name={name} />
      ))}
    </main>
  );
}
