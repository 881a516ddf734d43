// `npm start`: installs missing packages, rebuilds a stale build, and runs the product.
import process from 'node:process';
import { refuseInUse, runInForeground } from './foreground.mjs';
import { prepare, say } from './prepare.mjs';
import { ENVIRONMENT, FLAGS } from './process.mjs';

await refuseInUse();
await prepare();
say('Starting Afterword…');
runInForeground([...FLAGS, 'server/main.ts'], { ...ENVIRONMENT, ...process.env });
