/**
 * The memory of a process, MEMORY_LIMIT, divided into shares. Work that may need much memory reserves it from a share
 * before it reads or builds anything ({@link reserveMemory} in reserve-memory.ts); a cache has a share as its limit.
 */
import { totalmem } from 'node:os';
import { MIN_MEMORY_MIB } from '../config-table.ts';
import type { Platform } from '../platform.ts';

const MIB = 1024 * 1024;

/** Sizes of the shares in MiB with {@link USUAL_LIMIT}. With another limit all of them grow or shrink alike. */
const SHARES_MIB = {
  /** Bodies over the limit of content, from before they are read until the response. */
  largeBodies: 128,
  /** Bodies that are read and wait to be parsed. */
  waitingBodies: 256,
  /** Responses that members have not read yet. */
  memberResponses: 256,
  /** Responses that visitors have not read yet: they cannot use up the memory for the API's responses. */
  visitorResponses: 256,
  /** Large records of lists, read while the client reads: slow readers delay no mail. */
  largeRecords: 64,
  /** Rendered messages, attachments and records to post. */
  outgoingWork: 128,
  /** Threads of conversations while the provider answers, which may take minutes. */
  questions: 128,
  /** Decoded pixels of images. */
  images: 256,
  /** Compiled form versions. */
  formCache: 256,
  /** Rules of redirects. */
  redirectCache: 128,
  /** Models of tenants' entities. */
  entityCache: 72,
  /** Transmissions of which messages are sent. */
  transmissionCache: 64,
  /** Plans of the versions of automations that have runs. */
  automationCache: 16,
  /** Plans of the versions of journeys that have subscribers. */
  journeyCache: 16,
} as const;

/** The name of a share. */
export type MemoryShare = keyof typeof SHARES_MIB;

/** Memory of the program, its connections, threads and garbage, which no share counts, in MiB. */
const BASE_MIB = 400;
/** The limit, in MiB, on a machine that has as much. */
const USUAL_LIMIT_MIB = BASE_MIB + Object.values(SHARES_MIB).reduce((sum, size) => sum + size, 0);

/** Returns the size of a share in bytes. */
export function shareBytes({ config }: Pick<Platform, 'config'>, share: MemoryShare): number {
  const limit = Math.max(MIN_MEMORY_MIB, config.memoryLimitMib ?? machineMib());
  const scale = (limit - BASE_MIB) / (USUAL_LIMIT_MIB - BASE_MIB);
  return Math.floor(SHARES_MIB[share] * scale * MIB);
}

/** Memory of the container or machine, but not more than the usual limit. */
function machineMib(): number {
  // 0 or a huge number without a limit.
  const ofContainer = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(USUAL_LIMIT_MIB, Math.min(ofContainer, totalmem()) / MIB);
}
