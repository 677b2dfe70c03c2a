/** Checks of steps that need no database (docs/specification/journeys.md#steps). */
import type { Issue } from '../../../errors/app-error.ts';
import { FlowError } from '../../../flows/expressions.ts';
import { isZone } from '../../../flows/time-zones.ts';
import { isAddress, sendableAddress } from '../../../mail/address.ts';
import { isTime } from '../../../resources/filter-values.ts';
import type { Step, StepOf } from '../schema.ts';
import { nextStepKeys, templateOf } from './plan.ts';
import { isTimeOfDay } from './wait-times.ts';

/** Allowed difference of the sum of percents from 100, for rounded percents such as 33.33. */
const PERCENT_TOLERANCE = 0.01;

/** Finds all issues of the steps of a journey. */
export function findStepsIssues(steps: readonly Step[]): Issue[] {
  const own = steps.flatMap((step, index) => findStepIssues(step, `steps[${index}]`));
  const keys = [...findDuplicates(steps), ...findUnknownKeys(steps)];
  // Reachability is undefined while keys are duplicate or unknown.
  return [...own, ...(keys.length > 0 ? keys : findUnreachable(steps))];
}

function findStepIssues(step: Step, path: string): Issue[] {
  const fault = (name: string, message: string): Issue => ({ field: `${path}.${name}`, message });
  switch (step.type) {
    case 'wait':
      return findWaitIssues(step, fault);
    case 'split': {
      const sum = step.branches.reduce((total, { percent }) => total + percent, 0);
      return Math.abs(sum - 100) <= PERCENT_TOLERANCE
        ? []
        : [fault('branches', `must have percents that sum to 100, not ${sum}`)];
    }
    case 'send_email':
      return step.from_email === undefined || isAddress(sendableAddress(step.from_email))
        ? []
        : [fault('from_email', 'must be a valid email address')];
    case 'wait_for':
      return step.form_code === undefined || step.event === 'form_submission'
        ? []
        : [fault('form_code', 'is allowed only for the event form_submission')];
    default:
      return findExpressionIssues(step, fault);
  }
}

type Fault = (name: string, message: string) => Issue;

function findWaitIssues(step: StepOf<'wait'>, fault: Fault): Issue[] {
  const forms = (['seconds', 'until', 'at'] as const).filter((form) => step[form] !== undefined);
  const [form, secondForm] = forms;
  const rule = 'a wait has exactly one of seconds, until, and at with timezone';
  if (form === undefined) return [fault('seconds', `is required: ${rule}`)];
  if (secondForm !== undefined) return [fault(secondForm, `is not allowed here: ${rule}`)];
  if (form === 'until' && !isTime(step.until ?? '')) return [fault('until', 'must be an ISO 8601 time')];
  const dayFields = (['timezone', 'weekdays'] as const).filter((name) => step[name] !== undefined);
  if (form !== 'at') return dayFields.map((name) => fault(name, 'is allowed only together with at'));
  return [
    ...(isTimeOfDay(step.at ?? '') ? [] : [fault('at', 'must be HH:mm')]),
    ...(step.timezone === undefined
      ? [fault('timezone', 'is required')]
      : isZone(step.timezone)
        ? []
        : [fault('timezone', 'must be an IANA time zone')]),
  ];
}

function findExpressionIssues(step: Step, fault: Fault): Issue[] {
  try {
    templateOf(step);
    return [];
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    const prefix = step.type === 'update_subscriber' ? 'additional_fields_data.' : '';
    return [fault(`${prefix}${error.field}`, error.message)];
  }
}

function findDuplicates(steps: readonly Step[]): Issue[] {
  const seen = new Set<string>();
  return steps.flatMap(({ key }, index) => {
    if (seen.has(key))
      return [{ field: `steps[${index}].key`, message: 'must be unique: another step has this key' }];
    seen.add(key);
    return [];
  });
}

/** References of a step to other steps. */
function referencesOf(step: Step): (readonly [field: string, key: string | undefined])[] {
  const next = ['next', step.next] as const;
  switch (step.type) {
    case 'wait_for':
      return [next, ['step', step.step], ['on_event', step.on_event], ['on_timeout', step.on_timeout]];
    case 'branch':
      return [next, ['then', step.then], ['else', step.else]];
    case 'split':
      return [next, ...step.branches.map(({ to }, index) => [`branches[${index}].to`, to] as const)];
    default:
      return [next];
  }
}

function findUnknownKeys(steps: readonly Step[]): Issue[] {
  const types = new Map(steps.map(({ key, type }) => [key, type]));
  return steps.flatMap((step, index) =>
    referencesOf(step).flatMap(([name, key]) => {
      const field = `steps[${index}].${name}`;
      if (key === undefined) return [];
      if (!types.has(key)) return [{ field, message: 'must be the key of a step' }];
      const isValid = name !== 'step' || types.get(key) === 'send_email';
      return isValid ? [] : [{ field, message: 'must be the key of a send_email step' }];
    }),
  );
}

function findUnreachable(steps: readonly Step[]): Issue[] {
  const indexes = new Map(steps.map(({ key }, index) => [key, index]));
  const reached = new Set<number>();
  const unvisited = [0];
  for (let index = unvisited.pop(); index !== undefined; index = unvisited.pop()) {
    const step = steps[index];
    if (step === undefined || reached.has(index)) continue;
    reached.add(index);
    for (const key of nextStepKeys(step, steps[index + 1]?.key ?? null))
      if (key !== null) unvisited.push(indexes.get(key) ?? -1);
  }
  return steps.flatMap((_step, index) =>
    reached.has(index)
      ? []
      : [{ field: `steps[${index}].key`, message: 'must be reachable from the first step' }],
  );
}
