/** Reads a running listmonk by its HTTP API. */
import Type, { type Static } from 'typebox';
import { openSource } from './source-http.ts';

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
/** A mailing list, as the listmonk API returns it. */
export type ListmonkList = Static<typeof ListmonkList>;

/** A subscriber with the lists that it is or was in. */
export const ListmonkSubscriber = Type.Object({
  email: Text,
  name: Text,
  status: Type.Enum(['enabled', 'disabled', 'blocklisted']),
  attribs: Type.Union([Type.Null(), Type.Record(Text, Type.Unknown())]),
  lists: Type.Array(Type.Object({ id: Id, subscription_status: Text })),
});
/** A subscriber, as the listmonk API returns it. */
export type ListmonkSubscriber = Static<typeof ListmonkSubscriber>;

/** A template: the frame of campaigns, or a transactional message. */
export const ListmonkTemplate = Type.Object({ id: Id, name: Text, type: Text, subject: Text, body: Text });
/** A template, as the listmonk API returns it. */
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
/** A campaign, as the listmonk API returns it. */
export type ListmonkCampaign = Static<typeof ListmonkCampaign>;

const Paged = Type.Object({
  data: Type.Object({ results: Type.Union([Type.Array(Type.Unknown()), Type.Null()]) }),
});
const Whole = Type.Object({ data: Type.Array(Type.Unknown()) });

/** A client of a listmonk installation. */
export interface ListmonkApi {
  /** Reads one page, from 1. */
  page(path: string, page: number): Promise<readonly unknown[]>;
  /** Reads all items of an unpaged call. */
  readAll(path: string): Promise<readonly unknown[]>;
}

/** Creates a client. `token` is `user:token` of an API user. */
export function openListmonk(url: string, token: string | undefined): ListmonkApi {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `token ${token}` };
  const source = openSource({ name: 'listmonk', url, headers, credential: 'user:token of an API user' });
  return {
    page: async (path, page) => {
      const query = `page=${page}&per_page=${PAGE_SIZE}&order_by=created_at&order=asc`;
      return (await source.json(`${path}?${query}`, Paged)).data.results ?? [];
    },
    readAll: async (path) => (await source.json(path, Whole)).data,
  };
}
