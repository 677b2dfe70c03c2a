import type { FeatureSamples, NameOf } from '../../../test/contract/samples.ts';
import { goodAnswers } from '../../../test/harness/sample-forms.ts';
import { record as theme } from '../form-themes/samples.ts';
import { publicForm } from '../forms/samples.ts';

const params = (name: NameOf) => ({ public_code: name(publicForm) });

export const samples: FeatureSamples = {
  records: [],
  requests: {
    'embed.asset': () => ({ params: { file: 'embed-page.css' } }),
    'embed.page': (name) => ({ params: params(name), query: { theme: name(theme) } }),
    'embed.submit': (name) => ({
      params: params(name),
      body: { email_address: 'ada@example.com', form_data: goodAnswers },
    }),
  },
};
