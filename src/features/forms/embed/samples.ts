import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { askChallenge, solve } from '../../../../test/harness/challenge.ts';
import { createClient } from '../../../../test/harness/client.ts';
import { createForm, goodAnswers } from '../../../../test/harness/sample-forms.ts';
import { record as theme } from '../form-themes/samples.ts';
import { publicForm } from '../forms/samples.ts';

const params = (name: NameOf) => ({ public_code: name(publicForm) });

/** A submission with a solved challenge. */
const provenSubmission: Sample = {
  make: async ({ tenant: { api } }) => {
    const { public_code } = (await api.get(`/api/forms/${await createForm(api, { challenge: true })}`)).body;
    const visitor = createClient(api.url);
    const body = { email_address: 'ada@example.com', form_data: goodAnswers };
    const headers = solve(await askChallenge(visitor, public_code));
    const answer = await visitor.post(`/embed/${public_code}/submissions`, body, 200, { headers });
    return answer.body.submission_id;
  },
  absent: randomUUID,
};

export const samples: FeatureSamples = {
  records: [provenSubmission],
  requests: {
    'embed.challenge': (name) => ({ params: params(name) }),
    'embed.asset': () => ({ params: { file: 'embed-page.css' } }),
    'embed.page': (name) => ({ params: params(name), query: { theme: name(theme) } }),
    'embed.submit': (name) => ({
      params: params(name),
      body: { email_address: 'ada@example.com', form_data: goodAnswers },
    }),
  },
};
