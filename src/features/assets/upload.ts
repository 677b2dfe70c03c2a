/** Uploads: the form is streamed, and its file is checked and stored before the asset is created. */
import { INVALID_REQUEST } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { FORM_OVERHEAD_BYTES, type FormField, readForm } from '../../http/multipart.ts';
import type { Upload, UploadRules } from '../../http/upload.ts';
import { compileBodyCheck } from '../../http/validation.ts';
import { createRecord } from '../../resources/records.ts';
import type { Draft } from '../../storage/storage.ts';
import { originalOf, urlOf } from './addresses.ts';
import { inspectDraft, MAX_FILE_BYTES, type ReceivedFile, writeDraft } from './receive.ts';
import { removeUploadedFiles, retainFiles, scheduleUploadRemoval } from './removal.ts';
import { assets, newAssetId } from './resource.ts';
import { ShownForm, UploadForm } from './schema.ts';

/** Accepted uploads (docs/specification/assets.md#asset). */
export const ASSET_UPLOAD: UploadRules = {
  contentTypes: ['multipart/form-data'],
  maxBytes: MAX_FILE_BYTES + FORM_OVERHEAD_BYTES,
  form: ShownForm,
};

/** A stored file, and the columns of its future asset. */
export interface StoredUpload {
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
 * Reads an upload and stores its file. A failed upload leaves no file behind.
 * @throws AppError INVALID_REQUEST for invalid fields, a missing file or a broken image; PAYLOAD_TOO_LARGE;
 *   RATE_LIMITED if memory is short.
 */
export async function storeUpload(ctx: MemberContext, upload: Upload): Promise<StoredUpload> {
  const { platform } = ctx;
  const draft = await platform.storage.draft();
  try {
    const { fields, taken: file } = await readForm(upload, {
      field: 'file',
      take: async (bytes, fileName) => ({ fileName, ...(await writeDraft(bytes, draft)) }),
    });
    const { name, folder = '/', alt = null, tags = [] } = readFields(fields, file !== null, ctx.now);
    const { fileName, size = 0, sha256 = '' } = file ?? {};
    const found = await inspectDraft(platform, ctx.db.tenantId, draft);
    const id = await storeDraft(ctx, draft);
    return { id, columns: { name: name ?? nameOf(fileName), folder, alt, tags, size, sha256, ...found } };
  } finally {
    await draft.discard();
  }
}

/** Stores a draft as the file of a future asset. Returns the asset's id. */
async function storeDraft({ platform, db, now }: MemberContext, draft: Draft): Promise<string> {
  const id = newAssetId();
  await scheduleUploadRemoval(db, id, now);
  try {
    await platform.storage.store(originalOf(db.tenantId, id), draft);
  } catch (error) {
    // If this fails, `sweepFiles` removes the files later.
    await removeUploadedFiles(platform, db, id).catch(() => {});
    throw error;
  }
  return id;
}

/** Creates the asset of a stored file. @throws AppError FORBIDDEN. */
export async function createAsset(ctx: MemberContext, { id, columns }: StoredUpload) {
  await createRecord(ctx, assets, { ...columns }, { key: id });
  await retainFiles(ctx.db, id);
  return { id, url: urlOf(ctx.platform, { id, name: columns.name }) };
}

/** Removes the file of an upload whose asset was not created. */
export function abandonUpload({ platform, db }: MemberContext, { id }: StoredUpload): Promise<void> {
  return removeUploadedFiles(platform, db, id);
}

/** Reads the fields of a form. @throws AppError INVALID_REQUEST with all issues. */
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
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters.
  const name = (fileName.split(/[/\\]/).at(-1) ?? '').replaceAll(/[\u0000-\u001f\u007f]/g, '').trim();
  return name === '' ? 'file' : name.slice(0, 255).toWellFormed();
}
