import type { Issue } from '../../../errors/app-error.ts';
import { ThemeOptions } from './schema.ts';

/** SurveyJS options that the form page supports in addition to those in the schema. */
const SURVEY_OPTIONS = ['headerView'];
const SURVEY_HEADER_OPTIONS = ['mobileHeight', 'backgroundImage', 'backgroundImageFit'];

/**
 * Lists the options of a theme that have no effect, mostly misspelled ones. They are stored and reported as warnings.
 */
export function unknownOptions({ header, ...options }: object & { readonly header?: object }): Issue[] {
  const { properties } = ThemeOptions;
  return [
    ...unknownIn('', options, [...Object.keys(properties), ...SURVEY_OPTIONS]),
    ...unknownIn('header.', header ?? {}, [
      ...Object.keys(properties.header.properties),
      ...SURVEY_HEADER_OPTIONS,
    ]),
  ];
}

function unknownIn(path: string, options: object, known: readonly string[]): Issue[] {
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: `formBuilderThemeOptions.${path}${name}`,
      message: 'is not a theme option; it is stored but has no effect',
    }));
}
