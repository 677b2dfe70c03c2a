import assert from 'node:assert/strict';
import test from 'node:test';
import { inReadingOrder } from './survey-locale.ts';

test('right-to-left texts end with their full stop and name pages in reading order', () => {
  const names = { nativeName: 'العربية', englishName: 'Arabic' };
  const strings = {
    requiredError: '.يرجى الإجابة',
    placeholder: '...اختر',
    progressText: '{1} صفحة {0} من',
    a: 'نعم.',
  };
  assert.deepEqual(inReadingOrder({ ...names, localeCode: 'ar', strings, rtl: true }).strings, {
    requiredError: 'يرجى الإجابة.',
    placeholder: 'اختر...',
    progressText: 'صفحة {0} من {1}',
    a: 'نعم.',
  });
  const french = {
    localeCode: 'fr',
    nativeName: 'français',
    englishName: 'French',
    strings: { more: '...' },
  };
  assert.equal(inReadingOrder(french), french);
});
