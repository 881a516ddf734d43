// `npm start`: whatever is missing is installed, whatever is stale is built, then the product runs.
import process from 'node:process';
import { refuseInUse, runInForeground } from './foreground.mjs';
import { prepare, say } from './prepare.mjs';
import { ENVIRONMENT, FLAGS } from './process.mjs';

await refuseInUse();
await prepare();
say('Starting Afterword…');
runInForeground([...FLAGS, 'server/main.ts'], { ...ENVIRONMENT, ...process.env });
