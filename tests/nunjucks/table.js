// Renders the templates of the table with the real Nunjucks, set up as AgentV 5 does, and prints the results as JSON.
// Called with the path of the table; `NODE_PATH` names the folder with the package.
const fs = require('fs');
const nunjucks = require('nunjucks');

const table = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));

function rendered(template) {
  const environment = new nunjucks.Environment(undefined, { autoescape: false, throwOnUndefined: false });
  environment.addFilter('load', (value) => JSON.parse(value));
  try {
    return environment.renderString(template, { ...table.vars, vars: table.vars });
  } catch {
    return null;
  }
}

const { version } = require('nunjucks/package.json');
console.log(JSON.stringify({ version, results: table.rows.map((row) => rendered(row.template)) }));
