;;; rubric.el --- Check, fix and grade eval files  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools, languages

;;; Commentary:

;; Eval files are YAML files of cases with rubrics, by which answers of language models are graded.  The language server
;; `rubric-lsp' finds what is wrong in them; Eglot shows that, and this file adds grading, with you as the judge where
;; no model is.
;;
;;     (require 'rubric)
;;     (rubric-setup)
;;
;; Then `rubric-grade-case', `rubric-grade-file', `rubric-prompt', `rubric-report', `rubric-fix-all', `rubric-stop'.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'subr-x)

(defgroup rubric nil
  "Check, fix and grade eval files."
  :group 'tools)

(defcustom rubric-command '("rubric-lsp" "--stdio")
  "How the language server is started."
  :type '(repeat string))

(defcustom rubric-judge nil
  "Who judges, such as \"manual\" or \"openai:gpt-4o-mini\".
Nil is the judge that the project names."
  :type '(choice (const :tag "The judge of the project" nil) string))

(defcustom rubric-ask-reasons t
  "Whether you are asked for a reason after each decision when you judge."
  :type 'boolean)

;;; The server

(defclass rubric-server (eglot-lsp-server) ()
  :documentation "The language server for eval files.")

(cl-defmethod eglot-client-capabilities ((_server rubric-server))
  "Tell that a person in front of Emacs can judge."
  (plist-put (cl-call-next-method) :experimental
             '(:rubric (:judges ["manual"] :graded :json-false :report t :secrets :json-false))))

;;;###autoload
(define-derived-mode rubric-mode text-mode "Rubric"
  "A mode for eval files where Emacs has none for YAML."
  (setq-local comment-start "# "
              comment-start-skip "#+ *"
              indent-tabs-mode nil))

;; For the server an eval file is YAML, whatever the mode is called.
(put 'rubric-mode 'eglot-language-id "yaml")

(defconst rubric--modes '(yaml-mode yaml-ts-mode rubric-mode)
  "The modes in which the server is started.")

(defun rubric--mode ()
  "Return the best mode for eval files that can be had."
  (cond ((or (fboundp 'yaml-mode) (require 'yaml-mode nil t)) 'yaml-mode)
        ((and (fboundp 'yaml-ts-mode) (fboundp 'treesit-ready-p) (treesit-ready-p 'yaml t)) 'yaml-ts-mode)
        (t 'rubric-mode)))

(defun rubric--ensure-mode ()
  "Open eval files in a mode in which the server starts."
  (unless (memq (assoc-default "a.eval.yaml" auto-mode-alist #'string-match) rubric--modes)
    (add-to-list 'auto-mode-alist (cons "\\(?:\\.eval\\|/eval\\|/suite\\|/promptfooconfig[^/]*\\)\\.ya?ml\\'" (rubric--mode))))
  (add-to-list 'auto-mode-alist '("\\.eval\\.jsonl\\'" . rubric-mode)))

;;;###autoload
(defun rubric-setup ()
  "Start the server for every YAML file from now on.
Where Emacs has no mode for YAML, eval files get `rubric-mode'."
  (rubric--ensure-mode)
  (add-to-list 'eglot-server-programs `(,rubric--modes . (rubric-server . ,rubric-command)))
  (dolist (mode rubric--modes)
    (add-hook (intern (format "%s-hook" mode)) #'eglot-ensure)))

;;; Asking the server

(defvar rubric--running nil
  "The tokens of what runs, each with its server.")

(defvar rubric--tokens 0
  "How many tokens were given out.")

(defun rubric--server ()
  "Return the server of the buffer; fail where there is none."
  (or (eglot-current-server) (user-error "No server manages this buffer; start it with M-x eglot")))

(defun rubric--call (names &rest arguments)
  "Call the first of NAMES that is defined with ARGUMENTS.
Eglot has renamed some of its functions."
  (apply (cl-find-if #'fboundp names) arguments))

(defun rubric--uri ()
  "Return the address of the file."
  (rubric--call '(eglot-path-to-uri eglot--path-to-uri) (buffer-file-name)))

(defun rubric--at-point ()
  "Return what names the case at point.
Before the text of a line, the text is meant: a case starts behind its
dash."
  (let ((place (max (point) (save-excursion (forward-line 0) (skip-chars-forward " -") (point)))))
    (list :uri (rubric--uri)
          :position (rubric--call '(eglot--pos-to-lsp-position eglot-pos-to-lsp-position) place))))

(defun rubric--judged (argument)
  "Return ARGUMENT with the judge that the user chose."
  (if rubric-judge (append argument (list :judge rubric-judge)) argument))

(defun rubric--execute (command argument show)
  "Have the server do COMMAND with ARGUMENT and hand its result to SHOW.
Emacs goes on meanwhile."
  (let* ((server (rubric--server))
         (token (format "rubric-emacs-%d" (cl-incf rubric--tokens)))
         (done (lambda () (setq rubric--running (assoc-delete-all token rubric--running)))))
    ;; What was typed a moment ago is sent first.
    (rubric--call '(eglot--signal-textDocument/didChange))
    (push (cons token server) rubric--running)
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command command :arguments (vector argument) :workDoneToken token)
     :timeout nil
     :success-fn (lambda (result) (funcall done) (funcall show result))
     :error-fn (lambda (problem) (funcall done) (message "Rubric: %s" (plist-get problem :message))))
    nil))

;;;###autoload
(defun rubric-grade-case (&optional answer)
  "Grade the case at point.
ANSWER is the answer; with a prefix argument it is read from a file.
Otherwise the answer that is recorded beside the file counts, or the
case's target gives one."
  (interactive (list (when current-prefix-arg (rubric--file-text (read-file-name "File with the answer: ")))))
  (rubric--execute "rubric.gradeCase"
                   (rubric--judged (append (rubric--at-point) (when answer (list :answer answer))))
                   #'rubric--show-graded))

;;;###autoload
(defun rubric-grade-file ()
  "Grade all cases of the file."
  (interactive)
  (rubric--execute "rubric.gradeFile" (rubric--judged (list :uri (rubric--uri))) #'rubric--show-graded))

;;;###autoload
(defun rubric-prompt ()
  "Show what a judge would be asked about the case at point."
  (interactive)
  (rubric--execute "rubric.previewPrompt" (rubric--at-point)
                   (lambda (result) (rubric--show "*rubric prompt*" (plist-get result :markdown)))))

;;;###autoload
(defun rubric-report ()
  "Open the report of the last grading in a browser."
  (interactive)
  (rubric--execute "rubric.showReport" (list :uri (rubric--uri))
                   (lambda (result)
                     (if (null result)
                         (message "Rubric: nothing has been graded yet")
                       (let ((file (make-temp-file "rubric" nil ".html" (plist-get result :html))))
                         (browse-url-of-file file))))))

;;;###autoload
(defun rubric-fix-all ()
  "Apply all fixes that keep the meaning of the file."
  (interactive)
  (eglot-execute-command (rubric--server) "rubric.fixAll" (vector (rubric--uri))))

;;;###autoload
(defun rubric-stop ()
  "Stop everything that runs; what was judged is kept."
  (interactive)
  (pcase-dolist (`(,token . ,server) rubric--running)
    (jsonrpc-notify server :window/workDoneProgress/cancel (list :token token)))
  (message "Rubric: %s" (if rubric--running "stopped; finished judgements are kept" "nothing is running")))

(defun rubric--file-text (file)
  "Return the text of FILE."
  (with-temp-buffer (insert-file-contents file) (buffer-string)))

;;; Showing results

(defun rubric--show (name text)
  "Show TEXT in a buffer called NAME."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (special-mode)
    (display-buffer (current-buffer))))

(defun rubric--said (criterion)
  "Return what was said of CRITERION in a few words."
  (concat (if-let ((score (plist-get criterion :score)))
              (format "%s of 10" score)
            (if (eq (plist-get criterion :satisfied) t) "met" "not met"))
          (when (equal (plist-get criterion :gate) "failed") ", gate failed")))

(defun rubric--result-lines (result)
  "Return RESULT as lines."
  (append
   (list (string-join
          (delq nil (list (plist-get result :eval_id)
                          (cond ((plist-get result :error) "error")
                                ((eq (plist-get result :partial) t) "partial")
                                ((plist-get result :verdict))
                                (t "no verdict"))
                          (when-let ((score (plist-get result :score_exact))) (format "(%s)" score))
                          (when-let ((grade (plist-get (plist-get result :scorecard) :grade))) (concat "grade " grade))))
          "  "))
   (when-let ((problem (plist-get result :error))) (list (concat "  " problem)))
   (cl-loop for evaluator across (plist-get result :evaluator_results)
            append (cons (format "  %s  %s" (plist-get evaluator :name)
                                 (or (plist-get evaluator :verdict) (plist-get evaluator :status)))
                         (cl-loop for criterion across (plist-get evaluator :criteria)
                                  collect (format "    %s: %s  %s" (plist-get criterion :id) (rubric--said criterion)
                                                  (or (plist-get criterion :reasoning) "")))))))

(defun rubric--show-graded (graded)
  "Show the results of GRADED."
  (let ((lines (cl-loop for result across (plist-get graded :results)
                        append (append (rubric--result-lines result) (list "")))))
    (rubric--show "*rubric*" (if lines (string-join lines "\n") "Nothing was graded.\n"))
    (message "Rubric: %s" (if (eq (plist-get graded :stopped) t) "stopped" "graded"))))

;;; Judging

(define-error 'rubric-move "A person who judges goes elsewhere")

(defun rubric--moves (place)
  "Return where a person can go from the decision at PLACE, which counts from 0.
It is an alist of label to move."
  (append (when (> place 0) '(("back" . back))) '(("skip this case" . skip) ("stop judging" . stop))))

(defun rubric--choose (prompt choices place)
  "Ask with PROMPT for one of CHOICES, an alist of label to value.
PLACE counts from 0.  Signal `rubric-move' where the person goes back,
skips or stops."
  (let* ((moves (rubric--moves place))
         (offered (append choices moves))
         (label nil))
    ;; Enter on an empty line chooses nothing, so it is asked again.
    (while (not (assoc label offered))
      (setq label (completing-read (concat prompt " ") (mapcar #'car offered) nil t)))
    (when (assoc label moves) (signal 'rubric-move (list (cdr (assoc label moves)))))
    (cdr (assoc label choices))))

(defun rubric--number (line legal)
  "Return the number that LINE is, or nil where it is none or not LEGAL."
  (when (string-match-p "\\`\\(?:[0-9]+[.,]?[0-9]*\\|[.,][0-9]+\\)\\'" line)
    (let ((number (string-to-number (string-replace "," "." line))))
      (when (<= (plist-get legal :minimum) number (plist-get legal :maximum)) number))))

(defun rubric--move-named (line moves)
  "Return the one of MOVES whose label begins with LINE, or nil."
  (let ((labels (all-completions line moves)))
    (when (and (not (string-empty-p line)) (= (length labels) 1))
      (cdr (assoc (car labels) moves)))))

(defun rubric--read-number (prompt legal place)
  "Ask with PROMPT for a number that is LEGAL, until one is typed.
PLACE counts from 0.  Signal `rubric-move' where the person goes back,
skips or stops."
  (let* ((moves (rubric--moves place))
         (labels (mapcar #'car moves))
         (complaint "")
         (number nil))
    (setq prompt (format "%s %s to %s (or %s): " prompt (plist-get legal :minimum) (plist-get legal :maximum)
                         (string-join labels ", ")))
    (while (not number)
      (let* ((line (string-trim (completing-read (concat complaint prompt) labels)))
             (move (rubric--move-named line moves)))
        (when move (signal 'rubric-move (list move)))
        (setq number (rubric--number line legal)
              complaint (if (string-empty-p line) "Nothing was typed. "
                          (format "`%s` is not %s. " line (plist-get legal :description))))))
    number))

(defun rubric--labelled (choice)
  "Return CHOICE as a label and its value."
  (let ((label (plist-get choice :label)) (range (plist-get choice :scoreRange)))
    (cons (if (string-empty-p range) label (format "%s  (%s) %s" label range (plist-get choice :meaning)))
          (plist-get choice :value))))

(defun rubric--decide (item place count)
  "Ask for a decision on ITEM, the one at PLACE of COUNT.
Return it with its reason."
  (let* ((prompt (string-trim-right (format "%s (%d of %d): %s %s" (plist-get item :id) (1+ place) count
                                            (plist-get item :text) (plist-get item :gate))))
         (value (if-let ((legal (plist-get item :number)))
                    (rubric--read-number prompt legal place)
                  (rubric--choose prompt (mapcar #'rubric--labelled (plist-get item :choices)) place))))
    (list :value value
          :reasoning (if rubric-ask-reasons (read-string "Why? (optional) ") ""))))

(defun rubric--decisions (items)
  "Ask for a decision on each of ITEMS, in turn; the person may go back."
  (let ((decisions (make-vector (length items) nil)) (place 0))
    (while (< place (length items))
      (when (rubric--is-over) (signal 'rubric-move '(stop)))
      (condition-case move
          (progn
            (aset decisions place (rubric--decide (elt items place) place (length items)))
            (cl-incf place))
        (rubric-move (if (eq (cadr move) 'back) (cl-decf place) (signal 'rubric-move (cdr move))))))
    decisions))

(defun rubric--page (form)
  "Return the title and the sections of FORM as a text."
  (concat (plist-get form :title) "\n"
          (cl-loop for section across (plist-get form :sections)
                   concat (format "\n%s\n%s\n" (plist-get section :title) (plist-get section :text)))))

(defun rubric--judge (form)
  "Let the person in front of Emacs fill in FORM, and return what they say.
Show the case, and ask for one decision after the other."
  (rubric--show "*rubric case*" (rubric--page form))
  (condition-case move
      (list :decisions (rubric--decisions (plist-get form :items)))
    (rubric-move (if (eq (cadr move) 'skip) '(:skipped t) '(:stopped t)))
    (quit '(:stopped t))))

;;; Waiting for the person

;; A request is answered by what its handler returns, and until then Emacs may take no other message of the server.  So
;; the handler only promises an answer, and the promise is not sent.  The question waits until the person does nothing
;; else that takes keys.

(cl-defstruct rubric--question
  "A question of a server: its parameters, and the message that shall answer it."
  server parameters message is-told is-over)

(defvar rubric--promises (make-hash-table :test #'eq :weakness 'key)
  "The parameters of questions by what was promised as their answer.")

(defvar rubric--waiting nil
  "The questions that wait, the oldest first.")

(defvar rubric--asked nil
  "The question that the person is asked just now.")

(defvar rubric--timer nil
  "What asks the next question.")

(cl-defmethod eglot-handle-request ((_server rubric-server) (_method (eql 'rubric/judge)) &rest question)
  "Promise that the person in front of Emacs will answer QUESTION."
  ;; If it were sent after all, it would be an answer, too.
  (let ((promise (list :skipped t :reason "This version of Eglot cannot wait for a person.")))
    (puthash promise question rubric--promises)
    promise))

(cl-defmethod jsonrpc-connection-send ((server rubric-server) &rest message)
  "Send MESSAGE to SERVER, unless it promises an answer: that is sent later."
  (let ((question (gethash (plist-get message :result) rubric--promises)))
    (if (null question)
        (cl-call-next-method)
      (setq rubric--waiting
            (append rubric--waiting
                    (list (make-rubric--question :server server :parameters question :message message))))
      (rubric--ask-soon 0))))

(cl-defmethod eglot-handle-notification ((server rubric-server) (_method (eql '$/cancelRequest)) &key id &allow-other-keys)
  "Mark the question ID of SERVER as cancelled."
  (dolist (question (remq nil (cons rubric--asked rubric--waiting)))
    (when (and (eq (rubric--question-server question) server)
               (equal (plist-get (rubric--question-message question) :id) id))
      (setf (rubric--question-is-over question) t))))

(defun rubric--is-over ()
  "Return whether the current question was cancelled."
  (and rubric--asked (rubric--question-is-over rubric--asked)))

(defun rubric--is-wanted (question)
  "Return whether the server still waits for the answer to QUESTION."
  (and (not (rubric--question-is-over question)) (jsonrpc-running-p (rubric--question-server question))))

(defun rubric--is-typing ()
  "Return whether the person types something that a question would disturb.
Besides the minibuffer, that is a search or a prefix argument."
  (or (active-minibuffer-window) overriding-terminal-local-map))

(defun rubric--is-busy ()
  "Return whether keys are being typed, or a command runs."
  (or (rubric--is-typing) (input-pending-p) (> (length (this-command-keys-vector)) 0)))

(defun rubric--ask-soon (seconds)
  "Ask the first question that waits in SECONDS, where the person is free then."
  (when rubric--timer (cancel-timer rubric--timer))
  (setq rubric--timer (run-at-time seconds nil #'rubric--ask-next)))

(defun rubric--ask-next ()
  "Ask the first question that waits, once the person is free."
  (setq rubric--timer nil
        rubric--waiting (cl-remove-if-not #'rubric--is-wanted rubric--waiting))
  ;; When what is asked has been answered, the next one has its turn.
  (when (and rubric--waiting (not rubric--asked))
    (if (rubric--is-busy)
        (let ((question (car rubric--waiting)))
          (when (and (rubric--is-typing) (not (rubric--question-is-told question)))
            (setf (rubric--question-is-told question) t)
            (message "Rubric: a question is waiting until you are done here"))
          (rubric--ask-soon 0.2))
      (rubric--ask (pop rubric--waiting)))))

(defun rubric--ask (question)
  "Ask the person QUESTION, and send what they say."
  ;; Quitting stops judging.
  (let ((answer '(:result (:stopped t))))
    (setq rubric--asked question)
    (unwind-protect
        (condition-case problem
            (setq answer (list :result (rubric--judge (plist-get (rubric--question-parameters question) :form))))
          (error (setq answer (list :error (list :code -32603 :message (error-message-string problem))))))
      (setq rubric--asked nil)
      (rubric--answer question answer)
      (rubric--ask-soon 0))))

(defun rubric--answer (question answer)
  "Send ANSWER to QUESTION in the place of what was promised."
  (when (rubric--is-wanted question)
    (let ((message (copy-sequence (rubric--question-message question))))
      (cl-remf message :result)
      (apply #'jsonrpc-connection-send (rubric--question-server question) (append message answer)))))

(provide 'rubric)
;;; rubric.el ends here
