import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import { blobOf, image, upload } from '../harness/asset-files.ts';
import { LIVE_FORM, startBrowser, withoutBrowser } from '../harness/browser.ts';
import { eventually } from '../harness/poll.ts';
import { createForm, plainDefinition } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();

const VECTOR_IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><rect width="64" height="32"/></svg>';

/** Returns the displayed width of each image of a page, by its address. */
const SHOWN = `Object.fromEntries([...document.images].map((image) => [image.src, image.naturalWidth]))`;
const BACKGROUNDS = `[...document.querySelectorAll('*')].map((element) => getComputedStyle(element).backgroundImage)`;

suite('images from assets', { skip: withoutBrowser() }, () => {
  test('appear as logo, in questions and as background of a form, vector images included', async () => {
    assert.ok(browser);
    const { api } = await app.createTenant();
    const vectorImage = (await upload(api, [['file', blobOf(VECTOR_IMAGE), 'logo.svg']])).body.url;
    const photo = (await upload(api, [['file', blobOf(await image(60, 40).jpeg().toBuffer()), 'a.jpg']])).body
      .url;
    const imageElement = { type: 'image', name: 'image', imageLink: `${photo}?w=30&format=webp` };
    const theme = { backgroundImage: `${photo}?w=20` };
    const theme_code = (await api.post('/api/form_themes', { name: 'T', formBuilderThemeOptions: theme }))
      .body.code;
    const pages = [...plainDefinition.pages, { elements: [imageElement] }];
    const formBuilderOptions = { ...plainDefinition, pages: pages.toReversed(), logo: vectorImage };
    const code = await createForm(api, { formBuilderOptions, theme_code });
    const { public_code } = (await api.get(`/api/forms/${code}`)).body;

    const page = await browser.newPage();
    const answers = new Map<string, number>();
    page.on('response', (response) => answers.set(response.url(), response.status()));
    await page.goto(`${app.app.platform.publicUrl()}/embed/${public_code}`);
    await page.waitForSelector(LIVE_FORM);
    await eventually('the images to be shown', async () => {
      const shown = await page.evaluate<Record<string, number>>(SHOWN);
      return shown[vectorImage] === 64 && shown[imageElement.imageLink] === 30;
    });
    await eventually('the background', async () => answers.get(theme.backgroundImage) === 200);
    const backgrounds = await page.evaluate<string[]>(BACKGROUNDS);
    assert.ok(backgrounds.some((each) => each.includes(theme.backgroundImage)));
  });
});
