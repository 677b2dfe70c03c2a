/** Reads a running listmonk by its HTTP API. */
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { parseJson, reasonOf } from './target.ts';

/** Subscribers and campaigns of one page. */
export const PAGE_SIZE = 500;

const Id = Type.Integer();
const Text = Type.String();

/** A list. */
export const ListmonkList = Type.Object({
  id: Id,
  name: Text,
  optin: Text,
  description: Type.Optional(Text),
});
export type ListmonkList = Static<typeof ListmonkList>;

/** A subscriber with the lists that it is or was in. */
export const ListmonkSubscriber = Type.Object({
  email: Text,
  name: Text,
  status: Type.Enum(['enabled', 'disabled', 'blocklisted']),
  attribs: Type.Union([Type.Null(), Type.Record(Text, Type.Unknown())]),
  lists: Type.Array(Type.Object({ id: Id, subscription_status: Text })),
});
export type ListmonkSubscriber = Static<typeof ListmonkSubscriber>;

/** A template: the frame of campaigns, or a transactional message. */
export const ListmonkTemplate = Type.Object({ id: Id, name: Text, type: Text, subject: Text, body: Text });
export type ListmonkTemplate = Static<typeof ListmonkTemplate>;

/** A campaign. */
export const ListmonkCampaign = Type.Object({
  id: Id,
  name: Text,
  subject: Text,
  body: Text,
  content_type: Text,
  status: Text,
  created_at: Text,
  altbody: Type.Optional(Type.Union([Text, Type.Null()])),
  template_id: Type.Optional(Type.Union([Id, Type.Null()])),
  lists: Type.Array(Type.Object({ id: Id })),
});
export type ListmonkCampaign = Static<typeof ListmonkCampaign>;

const Paged = Type.Object({
  data: Type.Object({ results: Type.Union([Type.Array(Type.Unknown()), Type.Null()]) }),
});
const Whole = Type.Object({ data: Type.Array(Type.Unknown()) });

/** A listmonk that is read. */
export interface ListmonkApi {
  /** Reads one page, from 1. */
  page(path: string, page: number): Promise<readonly unknown[]>;
  /** Reads all items of an unpaged call. */
  whole(path: string): Promise<readonly unknown[]>;
}

/** Creates a client. `token` is `user:token` of an API user. */
export function openListmonk(url: string, token: string | undefined): ListmonkApi {
  const base = url.replace(/\/+$/, '');
  const read = async <S extends TSchema>(path: string, schema: S): Promise<Static<S>> => {
    const response = await fetch(`${base}${path}`, {
      headers: token === undefined ? {} : { authorization: `token ${token}` },
    }).catch((cause: unknown) => {
      throw new Error(`${base} cannot be reached: ${reasonOf(cause)}`, { cause });
    });
    const hint = [401, 403].includes(response.status)
      ? '; set SOURCE_TOKEN to user:token of an API user'
      : '';
    if (!response.ok) throw new Error(`listmonk answered ${response.status} to ${path}${hint}`);
    const body = parseJson(await response.text());
    if (!Value.Check(schema, body)) throw new Error(`the response to ${path} is not a listmonk response`);
    return body;
  };
  return {
    page: async (path, page) => {
      const query = `page=${page}&per_page=${PAGE_SIZE}&order_by=created_at&order=asc`;
      return (await read(`${path}?${query}`, Paged)).data.results ?? [];
    },
    whole: async (path) => (await read(path, Whole)).data,
  };
}
