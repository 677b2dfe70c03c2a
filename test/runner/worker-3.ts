import test from 'node:test';
import { runFiles } from './work.ts';

test('worker 3', runFiles);
