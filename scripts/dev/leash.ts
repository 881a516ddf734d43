/* Runs in the product's process: when the development server was killed, nobody else would end it. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
