import type { ReferenceTexts } from '../../feature.ts';

const automation = {
  app: 'shop',
  name: 'Tell the warehouse of large orders',
  triggerType: 'afterCreate',
  entityKey: 'order',
  triggerParams: {},
  conditionalActions: [
    {
      condition: {
        combinator: 'and',
        rules: [{ field: 'total', operator: 'greaterThan', value: 1000 }],
      },
      actions: [
        {
          key: 'tell',
          name: 'Tell the warehouse',
          actionTypeKey: 'httpRequest',
          params: {
            method: 'POST',
            url: 'https://warehouse.example/orders',
            body: { number: '{{trigger.entity.number}}' },
          },
        },
      ],
    },
  ],
};
const trigger = { entity: { id: '0193a5c0-7c1e-7000-8000-000000000000', number: 'A-17', total: 1200 } };

/** Reference texts: introductions of the tags, and example bodies. */
export const reference: ReferenceTexts = {
  tags: {
    Automations: 'Actions that run on record changes, schedules and calls.',
    'Automation runs': 'Runs of automations, action by action, and dry runs.',
  },
  examples: {
    'automations.create': { key: 'large_orders', ...automation },
    'automations.replace': automation,
    'automations.run': { trigger },
    'automations.test': { trigger },
  },
};
