// The card of a task: what to do, and what the answer has done. Lessons and problems use it.

import { html } from "../view.js";

/**
 * What to do, and what the answer has done; below it the ways on.
 * @param {TaskProps} props
 */
export const Task = ({
  of,
  title,
  text,
  task,
  note,
  answer,
  isGood,
  children,
}) => html`<div class="card lesson ${answer ? "tried" : ""}">
  ${title && html`<h2 id="${of}-title">${title}</h2>`}
  <p id="${of}-text">${text}</p>
  ${task && html`<p id="${of}-task" class="task">${task}</p>`}
  ${note !== undefined && html`<p class="soft" aria-live="polite">${note}</p>`}
  <p id="${of}-answer" class="answer ${isGood ? "good" : ""}">${answer}</p>
  <div class="row">${children}</div>
</div>`;
