// What a command is doing, and that it goes on: a moving sign on a terminal, plain lines anywhere else.
import process from 'node:process';

const SIGNS = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
/** Ms between two pictures of the sign, and between two plain lines. */
const BEAT = { sign: 100, line: 10_000 };
const CLEAR_LINE = '\r\u001b[K';

/** Shows a step until it is ended; what is printed meanwhile goes through `print`. */
export function showStep(what, output = process.stderr) {
  const began = Date.now();
  const after = () => `${Math.round((Date.now() - began) / 1000)} s`;
  const isTerminal = output.isTTY && process.env.TERM !== 'dumb';
  let drawn = 0;
  const draw = () => {
    drawn += 1;
    output.write(`${CLEAR_LINE}${SIGNS[drawn % SIGNS.length]} ${what}… ${after()}`);
  };
  const clear = isTerminal ? () => output.write(CLEAR_LINE) : () => undefined;
  if (!isTerminal) output.write(`${what}…\n`);
  const timer = isTerminal ? setInterval(draw, BEAT.sign) : setInterval(() => output.write(`${what}… ${after()}\n`), BEAT.line);
  return {
    print(text) {
      clear();
      output.write(text);
    },
    end(outcome) {
      clearInterval(timer);
      clear();
      output.write(`${what}: ${outcome} after ${after()}\n`);
    },
  };
}
