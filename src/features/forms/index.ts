import type { Feature } from '../feature.ts';
import { embed } from './embed/index.ts';
import { formSubmissions } from './form-submissions/index.ts';
import { formThemes } from './form-themes/index.ts';
import { forms } from './forms/index.ts';
import { webhooks } from './webhooks/index.ts';

/** Forms, their themes, submissions and webhooks, and the pages that other sites embed. */
export const formsFeatures: readonly Feature[] = [forms, formThemes, formSubmissions, embed, webhooks];
