/** An upload: the form is read while it arrives, its file checked and kept, and only then becomes an asset. */
import { INVALID_REQUEST } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { FORM_OVERHEAD_BYTES, type FormField, readForm } from '../../http/multipart.ts';
import type { Upload, UploadRules } from '../../http/upload.ts';
import { compileBodyCheck } from '../../http/validation.ts';
import { createRecord } from '../../resources/records.ts';
import type { Draft } from '../../storage/storage.ts';
import { originalOf, urlOf } from './addresses.ts';
import { inspectDraft, MAX_FILE_BYTES, type ReceivedFile, writeDraft } from './receive.ts';
import { dropFiles, expectFiles, keepFiles } from './removal.ts';
import { assets, newAssetId } from './resource.ts';
import { ShownForm, UploadForm } from './schema.ts';

/** Accepted uploads (docs/specification/assets.md#asset). */
export const ASSET_UPLOAD: UploadRules = {
  contentTypes: ['multipart/form-data'],
  maxBytes: MAX_FILE_BYTES + FORM_OVERHEAD_BYTES,
  form: ShownForm,
};

/** A file that is kept, and what its asset will say. */
export interface KeptUpload {
  readonly id: string;
  readonly columns: ReceivedFile & {
    readonly name: string;
    readonly folder: string;
    readonly alt: string | null;
    readonly tags: readonly string[];
  };
}

const checkForm = compileBodyCheck(UploadForm, INVALID_REQUEST);

/**
 * Reads an upload and keeps its file. Of one that comes to nothing nothing stays.
 * @throws AppError INVALID_REQUEST for faulty fields, no file or a broken picture; PAYLOAD_TOO_LARGE; RATE_LIMITED when there is no
 *   memory for a picture.
 */
export async function keepUpload(ctx: MemberContext, upload: Upload): Promise<KeptUpload> {
  const { platform } = ctx;
  const draft = await platform.storage.draft();
  try {
    const { fields, taken } = await readForm(upload, {
      field: 'file',
      take: async (bytes, fileName) => ({ fileName, ...(await writeDraft(bytes, draft)) }),
    });
    const { name, folder = '/', alt = null, tags = [] } = readFields(fields, taken !== null, ctx.now);
    const { fileName, size = 0, sha256 = '' } = taken ?? {};
    const found = await inspectDraft(platform, ctx.db.tenantId, draft);
    const id = await keepDraft(ctx, draft);
    return { id, columns: { name: name ?? nameOf(fileName), folder, alt, tags, size, sha256, ...found } };
  } finally {
    await draft.discard();
  }
}

/** Keeps a draft as the file of an asset that is yet to be made. */
async function keepDraft({ platform, db, now }: MemberContext, draft: Draft): Promise<string> {
  const id = newAssetId();
  await expectFiles(db, id, now);
  try {
    await platform.storage.keep(originalOf(db.tenantId, id), draft);
  } catch (error) {
    // What cannot be removed now is swept.
    await dropFiles(platform, db, id).catch(() => {});
    throw error;
  }
  return id;
}

/** Makes a kept file an asset. @throws AppError FORBIDDEN */
export async function createAsset(ctx: MemberContext, { id, columns }: KeptUpload) {
  await createRecord(ctx, assets, { ...columns }, { key: id });
  await keepFiles(ctx.db, id);
  return { id, url: urlOf(ctx.platform, { id, name: columns.name }) };
}

/** Removes the file of an upload that did not become an asset. */
export function abandonUpload({ platform, db }: MemberContext, { id }: KeptUpload): Promise<void> {
  return dropFiles(platform, db, id);
}

/** The fields of a form. @throws AppError INVALID_REQUEST for all that is wrong, together. */
function readFields(fields: readonly FormField[], hasFile: boolean, now: Date): UploadForm {
  const single = fields.filter(({ name }) => name !== 'tags').map(({ name, value }) => [name, value]);
  const tags = fields.filter(({ name }) => name === 'tags').map(({ value }) => value);
  const form = { ...Object.fromEntries(single), ...(tags.length > 0 && { tags }) };
  return checkForm(hasFile ? { ...form, file: true } : withoutFile(form), now);
}

function withoutFile({ file: _file, ...form }: Readonly<Record<string, unknown>>) {
  return form;
}

/** Returns the name of an uploaded file, without the path that some clients send. */
function nameOf(fileName = ''): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  const name = (fileName.split(/[/\\]/).at(-1) ?? '').replaceAll(/[\u0000-\u001f\u007f]/g, '').trim();
  return name === '' ? 'file' : name.slice(0, 255).toWellFormed();
}
