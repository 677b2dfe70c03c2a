import type { ITheme } from 'survey-core';
import { renderSurvey } from 'survey-js-ui';
import type { EmbeddedForm } from '../src/features/embed/page-data.ts';
import { collectAnswers } from './embed-page/answers.ts';
import { submitOnCompletion } from './embed-page/completion.ts';
import './embed-page/embed-page.css';
import { prepareDefinition } from './embed-page/form-definition.ts';
import { createFormModel } from './embed-page/form-model.ts';
import { createNotices, requireElement } from './embed-page/notices.ts';
import { findParent } from './embed-page/parent-window.ts';
import { sendAnswers } from './embed-page/submission.ts';
import { toSurveyTheme } from './embed-page/theme.ts';

/** The form that the service wrote into this page; it comes from the same build, so its shape is known. */
function readForm(): EmbeddedForm {
  const form: EmbeddedForm = JSON.parse(requireElement('tessera-form').textContent ?? '');
  return form;
}

/** The submissions of this form lie beside the page itself, whatever path a proxy puts before it. */
function submissionsUrl(): string {
  return `${window.location.pathname.replace(/\/+$/, '')}/submissions`;
}

/** Gives the parts of the page that SurveyJS does not draw the colours of the theme. */
function extendTheme({ cssVariables = {}, isPanelless = false }: ITheme): void {
  const { style, classList } = document.documentElement;
  for (const [name, value] of Object.entries(cssVariables)) {
    style.setProperty(name, value);
  }
  classList.toggle('tessera-panelless', isPanelless);
}

function start(): void {
  const form = readForm();
  const definition = prepareDefinition(form);
  const theme = toSurveyTheme(form.theme?.formBuilderThemeOptions ?? null);
  const survey = createFormModel(definition, theme, form.email_question);
  const container = requireElement('tessera-survey');
  const trap = requireElement('tessera-website');
  const parent = findParent(form.public_code);
  document.documentElement.classList.add(parent === null ? 'tessera-standalone' : 'tessera-framed');
  extendTheme(theme);
  submitOnCompletion({
    survey,
    container,
    parent,
    notices: createNotices(),
    emailQuestion: form.email_question,
    send: () =>
      sendAnswers(
        submissionsUrl(),
        collectAnswers(survey, definition, form.email_question),
        trap instanceof HTMLInputElement ? trap.value : '',
      ),
  });
  renderSurvey(survey, container);
  parent?.ready();
}

start();
