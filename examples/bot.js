// A bot in another language: fogspiel match leduc "node bot.js" random
//
// It plays any game, in the protocol of docs/bots.md: a message is a line of JSON, and so is each answer. This one makes the move that was made
// least often where it knew the same, so that it tries everything in turn.

"use strict";

let made = new Map(); // by what is known, a text that tells it, and the move: how often it was made

function pick(told) {
  const known = told.keys[told.keys.length - 1]; // 64 bits, and so a text
  const times = (move) => made.get(known + " " + move) || 0;
  const move = told.moves.reduce((best, one) => (times(one) < times(best) ? one : best));
  made.set(known + " " + move, times(move) + 1);
  return move;
}

const answers = {
  hello: () => ({ type: "ready", wants: [] }),
  game: () => {
    made = new Map(); // agents begin anew in each game
    return { type: "ready" };
  },
  move: (told) => ({ type: "move", move: pick(told) }),
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const told = JSON.parse(line);
    process.stdout.write(JSON.stringify(answers[told.type](told)) + "\n");
  });
