/** The pages of the guides and their order in the navigation. */

/** A group of pages for readers with one task. */
export interface PageGroup {
  readonly title: string;
  readonly about: string;
  /** True for a group that is collapsed unless one of its pages is open. */
  readonly isFolded?: true;
  /** Files from the root of the repository. */
  readonly files: readonly string[];
}

const docs = (...names: string[]): string[] => names.map((name) => `docs/${name}.md`);
const SPECIFICATION = 'docs/specification';
const specification = (...names: string[]): string[] => names.map((name) => `${SPECIFICATION}/${name}.md`);

/** The specification's overview, also linked from the top of every page. */
export const SPECIFICATION_FILE = `${SPECIFICATION}/README.md`;

/** All groups, in the order in which a newcomer reads them. */
export const GROUPS: readonly PageGroup[] = [
  {
    title: 'Start',
    about: 'From an empty folder to a form, a webhook and a mail.',
    files: ['README.md'],
  },
  {
    title: 'Developers',
    about: 'Build forms, mail, content and data into your own product.',
    files: [
      ...docs('forms', 'embedding', 'webhooks', 'email', 'records', 'automations'),
      ...docs('pages', 'assets', 'assistants'),
      'sdk/README.md',
      ...docs('errors'),
    ],
  },
  {
    title: 'Marketers',
    about: 'Reach the right subscribers, and measure the results.',
    files: docs(
      'console',
      'subscribers',
      'campaigns',
      'journeys',
      'tracking-and-bounces',
      'reports',
      'moving',
    ),
  },
  {
    title: 'Operators',
    about: 'Run, secure and scale an installation.',
    files: docs('operating', 'deliverability', 'tenants-and-business-units', 'security', 'scaling'),
  },
  {
    title: 'Specification',
    about: 'What callers can rely on, area by area.',
    isFolded: true,
    files: [
      SPECIFICATION_FILE,
      ...specification(
        'conventions',
        'running',
        'tenants',
        'browser-sessions',
        'history',
        'operations',
        'bulk-actions',
        'search',
        'overview',
        'webhooks',
        'transmissions',
      ),
      ...specification('templates', 'email-settings', 'email-events', 'forms', 'subscribers', 'campaigns'),
      ...specification('reports', 'pages', 'ai', 'records', 'automations', 'journeys', 'assets', 'console'),
    ],
  },
];

/** Labels of pages whose heading is too long or unclear in the navigation. */
export const LABELS: Readonly<Record<string, string>> = {
  'README.md': 'Tour',
  'sdk/README.md': 'SDK',
  'docs/deliverability.md': 'Deliverability',
  'docs/email.md': 'Email',
  'docs/moving.md': 'Migration',
  'docs/operating.md': 'Operating',
  'docs/records.md': 'Records',
  'docs/reports.md': 'Exports',
  'docs/scaling.md': 'Scaling',
  'docs/subscribers.md': 'Subscribers',
  'docs/tenants-and-business-units.md': 'Tenants and units',
  'docs/tracking-and-bounces.md': 'Tracking and bounces',
  [SPECIFICATION_FILE]: 'Overview',
};

/** Returns a page's path from the root of the service. */
export function pathOfFile(file: string): string {
  if (file === 'README.md') return 'guides/tour';
  if (file === 'sdk/README.md') return 'guides/sdk';
  return file.replace(/^docs\//, 'guides/').replace(/\.md$/, '');
}
