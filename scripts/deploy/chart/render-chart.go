// Renders Helm charts without Helm: Go's text/template and sprig with the functions and objects that Helm gives to
// templates. Reads a JSON list of charts from stdin and writes a JSON list of their objects to stdout.
//
// Build it with Debian's packages:  GO111MODULE=off GOPATH=/usr/share/gocode go build -o render-chart render-chart.go
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

type request struct {
	Chart        object            `json:"chart"`
	Values       object            `json:"values"`
	Release      object            `json:"release"`
	Capabilities capabilities      `json:"capabilities"`
	Templates    map[string]string `json:"templates"`
	Files        files             `json:"files"`
}

type result struct {
	Objects []json.RawMessage `json:"objects"`
	Notes   string            `json:"notes"`
	Faults  []string          `json:"faults"`
}

// documentEnd separates the objects of a file, wherever a template prints it.
var documentEnd = regexp.MustCompile(`(?m)^---[ \t]*$`)

type apiVersions []string

// Has reports whether the cluster serves an API version, such as "policy/v1" or "policy/v1/PodDisruptionBudget".
func (versions apiVersions) Has(version string) bool {
	for _, it := range versions {
		if it == version {
			return true
		}
	}
	return false
}

type kubeVersion struct{ Version, Major, Minor string }

func (version kubeVersion) String() string { return version.Version }

type capabilities struct {
	KubeVersion kubeVersion
	APIVersions apiVersions
}

// files are the files of the chart that are neither templates nor its own description.
type files map[string]string

func (all files) Get(name string) string { return all[name] }

func (all files) GetBytes(name string) []byte { return []byte(all[name]) }

func (all files) Lines(name string) []string {
	return strings.Split(strings.TrimSuffix(all[name], "\n"), "\n")
}

func (all files) Glob(pattern string) files {
	found := files{}
	for name, text := range all {
		if matches, _ := path.Match(pattern, name); matches {
			found[name] = text
		}
	}
	return found
}

// AsConfig returns the files as the data of a ConfigMap: the last part of each name is the key.
func (all files) AsConfig() string {
	data := map[string]string{}
	for name, text := range all {
		data[path.Base(name)] = text
	}
	return toYaml(data)
}

func toYaml(value interface{}) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(text), "\n")
}

// Helm's parsing functions do not fail: they return what went wrong under the key "Error".
func fromYaml(text string) object {
	value := object{}
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		value["Error"] = err.Error()
	}
	return value
}

func fromYamlArray(text string) []interface{} {
	value := []interface{}{}
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		value = []interface{}{err.Error()}
	}
	return value
}

func toJson(value interface{}) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}

func required(message string, value interface{}) (interface{}, error) {
	if text, isText := value.(string); value == nil || (isText && text == "") {
		return value, errors.New(message)
	}
	return value, nil
}

// functions are those of Helm. sprig's two that read the environment are missing there too, so a template that uses one of
// them, or any other unknown name, fails to parse.
func functions(root *template.Template, depth map[string]int) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	include := func(name string, data interface{}) (string, error) {
		if depth[name] > 100 {
			return "", fmt.Errorf("%s includes itself without end", name)
		}
		depth[name]++
		defer func() { depth[name]-- }()
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	tpl := func(text string, data interface{}) (string, error) {
		copied, err := root.Clone()
		if err != nil {
			return "", err
		}
		parsed, err := copied.New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		var rendered strings.Builder
		err = parsed.Execute(&rendered, data)
		return rendered.String(), err
	}
	// Helm answers lookups with nothing when it has no cluster, as in `helm template`.
	lookup := func(string, string, string, string) object { return object{} }
	for name, function := range (template.FuncMap{
		"include": include, "tpl": tpl, "required": required, "lookup": lookup,
		"toYaml": toYaml, "fromYaml": fromYaml, "fromYamlArray": fromYamlArray, "toJson": toJson,
		"fromJson": fromYaml, "fromJsonArray": fromYamlArray,
	}) {
		known[name] = function
	}
	return known
}

func render(it request) (rendered map[string]string, err error) {
	// A template may panic, for example in a function of sprig.
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
	}()
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root, map[string]int{}))
	names := []string{}
	for name := range it.Templates {
		names = append(names, name)
	}
	sort.Strings(names)
	prefix := fmt.Sprint(it.Chart["Name"], "/")
	for _, name := range names {
		if _, err := root.New(prefix + name).Parse(it.Templates[name]); err != nil {
			return nil, err
		}
	}
	rendered = map[string]string{}
	for _, name := range names {
		// Files that begin with an underscore only define templates.
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		data := object{
			"Chart": it.Chart, "Values": it.Values, "Release": it.Release, "Files": it.Files,
			"Capabilities": it.Capabilities,
			"Template":     object{"Name": prefix + name, "BasePath": prefix + "templates"},
		}
		var text strings.Builder
		if err := root.ExecuteTemplate(&text, prefix+name, data); err != nil {
			return nil, err
		}
		rendered[name] = text.String()
	}
	return rendered, nil
}

// read turns the rendered files into objects, with the YAML parser that Helm and Kubernetes use.
func read(rendered map[string]string, err error) result {
	found := result{Objects: []json.RawMessage{}, Faults: []string{}}
	if err != nil {
		found.Faults = append(found.Faults, err.Error())
	}
	for name, text := range rendered {
		// Helm prints nothing there, which hides misspelled values.
		if strings.Contains(text, "<no value>") {
			found.Faults = append(found.Faults, name+" prints a value that does not exist")
		}
		if strings.HasSuffix(name, ".txt") {
			found.Notes += text
			continue
		}
		for _, document := range documentEnd.Split(text, -1) {
			object, err := yaml.YAMLToJSONStrict([]byte(document))
			if err != nil {
				found.Faults = append(found.Faults, name+": "+err.Error())
			} else if string(object) != "null" {
				found.Objects = append(found.Objects, object)
			}
		}
	}
	return found
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	results := []result{}
	for _, it := range requests {
		results = append(results, read(render(it)))
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
