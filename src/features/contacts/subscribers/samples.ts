import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { actingIn } from '../../../../test/harness/members.ts';
import { formBody, goodAnswers } from '../../../../test/harness/sample-forms.ts';
import { senderDomain, subscriptionType } from '../../mail/email-settings/samples.ts';
import { listOfUnit, unit } from '../../tenancy/business-units/samples.ts';
import { audienceSample } from '../computed-audiences/samples.ts';
import { listSample } from '../subscriber-groups/samples.ts';

const body = (name: NameOf) => ({
  first_name: 'Ada',
  email: `ada-${randomUUID()}@example.com`,
  active: true,
  lists: [name(listSample)],
  audiences: [name(audienceSample)],
  business_unit: name(unit),
});

/** A subscriber with chosen subscription types. */
export const subscriberSample: Sample = {
  needs: [unit, listSample, audienceSample, subscriptionType],
  make: async ({ tenant, name }) => {
    const updates = [{ subscription_type_id: name(subscriptionType), subscribe: false }];
    const chosen = { ...body(name), subscription_updates: updates };
    return (await tenant.api.post('/api/subscribers', chosen)).body.id;
  },
  absent: randomUUID,
};

/** An erased and suppressed subscriber. */
const erased: Sample = {
  needs: [unit, listSample, audienceSample],
  make: async ({ tenant, name }) => {
    const { email, ...rest } = body(name);
    const { id } = (await tenant.api.post('/api/subscribers', { email, ...rest })).body;
    await tenant.api.post('/api/email_settings/suppressions', { recipient: email, type: 'bounce' });
    await tenant.api.delete(`/api/subscribers/${id}`);
    return id;
  },
};

/** A subscriber who has to confirm a sign-up, identified by the submission. */
const asked: Sample = {
  needs: [unit, senderDomain],
  make: async ({ tenant: { api }, name }) => {
    const subscriber_mapping = { enabled: true, double_opt_in: true };
    const form = formBody({ business_unit: name(unit), subscriber_mapping });
    const submission = {
      form_code: (await api.post('/api/forms', form)).body.code,
      email_address: `ada-${randomUUID()}@example.com`,
      form_data: goodAnswers,
    };
    return (await api.post('/api/form_submissions', submission)).body.submission_id;
  },
};

const file = () => ({
  type: 'text/csv',
  text: `email,first_name\nada-${randomUUID()}@example.com,Ada\n`,
});

/** An import of a unit, done or about to be. */
const subscriberImport: Sample = {
  needs: [unit, listSample],
  make: async ({ tenant, name }) => {
    const { type, text } = file();
    const api = await actingIn(tenant.api, name(unit));
    const path = `/api/subscribers/import?mode=insert&list_id=${name(listSample)}`;
    const { body } = await api.post(path, undefined, 200, {
      rawBody: text,
      headers: { 'content-type': type },
    });
    return body.import_id;
  },
  absent: randomUUID,
};

const params = (name: NameOf) => ({ id: name(subscriberSample) });
const vars = (name: NameOf) => ({ listIds: [name(listSample)] });

/** A request with a link that a mail program has cut. */
const link = { params: { token: 'altered' } };
const choice = {
  subscription_updates: [{ subscription_type_id: 'news', subscribe: false }],
  replace_all: false,
};

export const samples: FeatureSamples = {
  records: [subscriberSample, erased, asked, subscriberImport],
  requests: {
    'subscribers.create': (name) => ({ body: body(name) }),
    'subscribers.list': (name) => ({ body: listOfUnit(name) }),
    'subscribers.get': (name) => ({ params: params(name) }),
    'subscribers.replace': (name) => ({ params: params(name), body: body(name) }),
    'subscribers.put_by_email': (name) => ({
      params: { email: 'by-address@example.com' },
      body: { first_name: 'Ada', business_unit: name(unit) },
    }),
    'lists.add_members': (name) => ({
      params: { id: name(listSample) },
      body: { subscriber_ids: [name(subscriberSample)] },
    }),
    'lists.remove_members': (name) => ({
      params: { id: name(listSample) },
      body: { subscriber_ids: [name(subscriberSample)] },
    }),
    'subscribers.delete': (name) => ({ params: params(name) }),
    'subscribers.confirm_page': () => link,
    'subscribers.confirm': () => link,
    'subscribers.import': (name) => ({
      query: { mode: 'upsert', list_id: name(listSample) },
      upload: file(),
    }),
    'subscribers.get_import': (name) => ({ params: { id: name(subscriberImport) } }),
    'subscribers.search': (name) => ({
      body: { payload: { queryName: 'getSubscribersCountByListIds', vars: vars(name) } },
    }),
    'preferences.get': () => link,
    'preferences.update': () => ({ ...link, body: choice }),
    'preferences.page': () => link,
    'preferences.save': () => ({
      ...link,
      upload: { type: 'application/x-www-form-urlencoded', text: 'shown=news&type=news' },
    }),
  },
};
