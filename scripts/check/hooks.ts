import { spawnSync } from 'node:child_process';

/** Prints how to enable the check of commit messages in a clone that hasn't. */
const { stdout } = spawnSync('git', ['config', 'core.hooksPath'], { encoding: 'utf8' });
if (stdout?.trim() !== '.githooks')
  process.stdout.write('To check commit messages as you write them, run: git config core.hooksPath .githooks\n');
