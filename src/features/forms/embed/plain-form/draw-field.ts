/** Draws the controls of a plain form with SurveyJS's elements and classes, so that they look the same. */
import { type Html, html } from '../../../../http/html.ts';
import type { PlainField, PlainQuestion } from './read-question.ts';
import type { ChoiceValue } from './script-form.ts';

type FieldOf<Type extends PlainField['type']> = Extract<PlainField, { type: Type }>;

/** Returns an attribute, or nothing without a value. */
function attribute(
  name: 'autocomplete' | 'max' | 'maxlength' | 'min' | 'placeholder' | 'step' | 'value',
  value: ChoiceValue | undefined,
): Html | null {
  return value === undefined || value === '' ? null : html` ${name}="${value}"`;
}

/**
 * Returns the attributes that label and describe a control. A group never has `aria-required` (WAI-ARIA 1.2, `group`).
 */
function labels(id: string, { title, hasHeader, description, isRequired, kind }: PlainQuestion): Html {
  const required = kind === 'choices' ? null : html`aria-required="${String(isRequired)}" `;
  const name = hasHeader ? html`aria-labelledby="${id}-title"` : html`aria-label="${title}"`;
  const help = hasHeader && description !== '' ? html` aria-describedby="${id}-help"` : null;
  return html`${required}${name}${help} aria-invalid="false"`;
}

/** Placeholder of the character counter, which is shown while the field has focus. */
function counter(maxLength: number | undefined): Html | null {
  return maxLength === undefined
    ? null
    : html`<div class="sd-remaining-character-counter">0/${maxLength}</div>`;
}

function counted(maxLength: number | undefined): string {
  if (maxLength === undefined) return '';
  return maxLength > 99
    ? ' sd-text__character-counter sd-text__character-counter--big'
    : ' sd-text__character-counter';
}

function drawText(id: string, question: PlainQuestion, field: FieldOf<'text'>): Html {
  const { inputType, autocomplete, placeholder, maxLength, min, max } = field;
  const step = field.step ?? (inputType === 'number' ? 'any' : undefined);
  const attributes = [
    attribute('min', min),
    attribute('max', max),
    attribute('step', step),
    attribute('maxlength', maxLength),
    attribute('placeholder', placeholder),
    attribute('autocomplete', autocomplete),
    attribute('value', question.defaults[0]),
  ];
  return html`<input id="${id}-field" name="${id}" type="${inputType}"${attributes} ${labels(id, question)} class="sd-input sd-text${counted(maxLength)}">${counter(maxLength)}`;
}

function drawComment(id: string, question: PlainQuestion, field: FieldOf<'comment'>): Html {
  const { placeholder, maxLength, rows } = field;
  // HTML ignores a line break directly after the tag, so add one to keep the first line break of the value.
  return html`<textarea id="${id}-field" name="${id}" rows="${rows}" cols="50"${attribute('maxlength', maxLength)}${attribute('placeholder', placeholder)} ${labels(id, question)} class="sd-input sd-comment">
${question.defaults[0] ?? null}</textarea>${counter(maxLength)}`;
}

const checkMark = html`<svg class="sd-item__svg sd-checkbox__svg"><use href="#icon-check-16x16"></use></svg>`;

function drawChoices(id: string, question: PlainQuestion, field: FieldOf<'radiogroup' | 'checkbox'>): Html {
  const [role, input, classes, mark] =
    field.type === 'radiogroup'
      ? (['radiogroup', 'radio', ['sd-radio', 'sd-radio__control', 'sd-radio__decorator'], null] as const)
      : ([
          'group',
          'checkbox',
          ['sd-checkbox', 'sd-checkbox__control', 'sd-checkbox__decorator'],
          checkMark,
        ] as const);
  const [item, control, decorator] = classes;
  const items = field.choices.map(({ value, text }) => {
    const checked = question.defaults.includes(value) ? html` checked` : null;
    return html`<div role="presentation" class="sd-item ${item} sd-selectbase__item sv-q-col-1"><label class="sd-selectbase__label"><input type="${input}" name="${id}" value="${value}"${checked} class="sd-visuallyhidden sd-item__control ${control}"><span class="sd-item__decorator ${decorator}">${mark}</span><span class="sd-item__control-label"><span class="sv-string-viewer">${text}</span></span></label></div>`;
  });
  return html`<fieldset id="${id}-field" role="${role}" ${labels(id, question)} class="sd-selectbase">${items}</fieldset>`;
}

function drawDropdown(id: string, question: PlainQuestion, field: FieldOf<'dropdown'>): Html {
  const options = field.choices.map(({ value, text }) => {
    const selected = question.defaults.includes(value) ? html` selected` : null;
    return html`<option value="${value}"${selected}>${text}</option>`;
  });
  return html`<div class="sd-selectbase"><div class="sv-dropdown_select-wrapper"><select id="${id}-field" name="${id}" ${labels(id, question)} class="sd-input sd-dropdown"><option value="">${field.placeholder}</option>${options}</select><div aria-hidden="true" class="sd-dropdown_chevron-button"><svg class="sv-svg-icon sd-dropdown_chevron-button-svg"><use href="#icon-chevrondown-24x24"></use></svg></div></div></div>`;
}

function drawTick(id: string, question: PlainQuestion, { label }: FieldOf<'boolean'>): Html {
  const text =
    label === ''
      ? null
      : html`<span class="sd-item__control-label"><span class="sv-string-viewer sv-string-viewer--multiline">${label}</span></span>`;
  const rendered = label === '' ? '' : ' sd-checkbox--label-rendered';
  return html`<div class="sd-selectbase"><div class="sd-item sd-selectbase__item sd-checkbox${rendered}"><label class="sd-selectbase__label"><input id="${id}-field" name="${id}" type="checkbox" ${labels(id, question)} class="sd-visuallyhidden sd-item__control sd-checkbox__control"><span class="sd-item__decorator sd-checkbox__decorator">${checkMark}</span>${text}</label></div></div>`;
}

/** SVG symbols of the controls. */
export const symbols = html`<svg class="tessera-symbols" aria-hidden="true"><symbol id="icon-check-16x16" viewBox="0 0 16 16"><path d="M14.0275 5.0275L6.5275 12.5275C6.3775 12.6775 6.1875 12.7475 5.9975 12.7475C5.8075 12.7475 5.6175 12.6775 5.4675 12.5275L2.4675 9.5275C2.1775 9.2375 2.1775 8.7575 2.4675 8.4675C2.7575 8.1775 3.2375 8.1775 3.5275 8.4675L5.9975 10.9375L12.9675 3.9675C13.2575 3.6775 13.7375 3.6775 14.0275 3.9675C14.3175 4.2575 14.3175 4.7375 14.0275 5.0275Z"></path></symbol><symbol id="icon-chevrondown-24x24" viewBox="0 0 24 24"><path d="M16.5275 10.5275L12.5275 14.5275C12.3775 14.6775 12.1875 14.7475 11.9975 14.7475C11.8075 14.7475 11.6175 14.6775 11.4675 14.5275L7.4675 10.5275C7.1775 10.2375 7.1775 9.7575 7.4675 9.4675C7.7575 9.1775 8.2375 9.1775 8.5275 9.4675L11.9975 12.9375L15.4675 9.4675C15.7575 9.1775 16.2375 9.1775 16.5275 9.4675C16.8175 9.7575 16.8175 10.2375 16.5275 10.5275Z"></path></symbol></svg>`;

/** Draws the control of a question; the control or its container has the id `<id>-field`. */
export function drawField(id: string, question: PlainQuestion): Html {
  const { field } = question;
  switch (field.type) {
    case 'text':
      return drawText(id, question, field);
    case 'comment':
      return drawComment(id, question, field);
    case 'dropdown':
      return drawDropdown(id, question, field);
    case 'boolean':
      return drawTick(id, question, field);
    default:
      return drawChoices(id, question, field);
  }
}
