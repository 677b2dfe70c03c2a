import shapes from 'virtual:icons';
import { createElement } from 'react';
import type { IconName } from './icon-names.ts';

interface IconProps {
  readonly name: IconName;
  /** Width and height in px. Default: 16. */
  readonly size?: number;
  readonly className?: string | undefined;
}

/** A decorative icon: text beside it, or the label of its button, says what it means. */
export function Icon({ name, size = 16, className }: IconProps) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size > 20 ? 1.5 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {(shapes[name] ?? []).map(([tag, attributes]) =>
        createElement(tag, { ...attributes, key: JSON.stringify(attributes) }),
      )}
    </svg>
  );
}
