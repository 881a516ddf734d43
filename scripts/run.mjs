// `node scripts/run.mjs file.ts …`: runs a program after installing and building what it needs.
import process from 'node:process';
import { runInForeground } from './foreground.mjs';
import { prepare } from './prepare.mjs';

await prepare({ forTests: true });
runInForeground(process.argv.slice(2));
