import type { Makers } from '../record-maker.ts';
import { automationRecords } from './automation.ts';
import { contactRecords } from './contacts.ts';
import { entityRecords } from './entities.ts';
import { formRecords } from './forms.ts';
import { mailRecords } from './mail.ts';
import { marketingRecords } from './marketing.ts';
import { pageRecords } from './pages.ts';
import { tenancyRecords } from './tenancy.ts';

/** Creates the records that take more than one example request, so that every table has a row. */
export const MAKERS: Makers = {
  ...tenancyRecords,
  ...pageRecords,
  ...mailRecords,
  ...formRecords,
  ...contactRecords,
  ...marketingRecords,
  ...automationRecords,
  ...entityRecords,
};
